import t from 'tap'
import { linkToMessage } from '../../../server/web/state/message-link.js'
import { narrowOf } from '../../../server/web/state/narrow.js'

t.test('a link to a message opens its conversation, whatever the topic is called', async t => {
  for (const topic of ['lunch', '', 'a/b', '1.5 %', '✔ done', '<b>"&', 'near/17'])
    t.match(narrowOf(linkToMessage({ channelId: 5, topic }, 17), 1), { kind: 'topic', channelId: 5, topic }, topic)
  t.match(narrowOf(linkToMessage({ direct: '2,3' }, 17), 1), { kind: 'direct', key: '2,3' })
})
