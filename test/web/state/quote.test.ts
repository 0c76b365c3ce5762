import t from 'tap'
import { targetOf } from '../../../server/web/state/address.js'
import type { Message } from '../../../server/web/state/chat-state.js'
import { messageLink, quoteOf } from '../../../server/web/state/quote.js'
import { direct, message, someState } from './state.js'

t.test('the link of a message leads to it, whatever its topic is called', async t => {
  const state = someState()
  const linkOf = (one: Omit<Message, 'flags'>) => messageLink(state, { ...one, flags: [] } as Message)
  t.equal(linkOf(message({ id: 7, subject: 'logo v2' })), '/#narrow/channel/5-channel-5/topic/logo.20v2/near/7')
  for (const subject of ['', 'a/b', '%2F .near./near/9', '<b>#*()\'"', '✔ ünïcode']) {
    t.same(targetOf(linkOf(message({ id: 7, subject })), 1), {
      narrow: { kind: 'topic', channelId: 5, topic: subject },
      near: 7,
    })
  }
  t.equal(linkOf(direct({ id: 8 }, [1, 2])), '/#narrow/dm/1,2-dm/near/8')
  t.equal(linkOf(direct({ id: 8 }, [1])), '/#narrow/dm/1-dm/near/8', 'notes to oneself')
})

t.test('no fence in a quoted message ends the quote', async t => {
  const sender = { name: 'Mira', id: 31 }
  t.equal(quoteOf(sender, 'L', 'blue?'), '@_**Mira|31** [said](L):\n```quote\nblue?\n```\n')
  for (const [source, fence] of [
    ['```js\nx\n```', '````'],
    ['  ````\nx\n````', '`````'],
    ['a\n`````quote\nb\n`````', '``````'],
    ['in a line: ```', '```'],
  ] as const)
    t.equal(quoteOf(sender, 'L', source), `@_**Mira|31** [said](L):\n${fence}quote\n${source}\n${fence}\n`)
})
