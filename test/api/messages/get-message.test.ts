import t from 'tap'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [author, stranger] = await people(server, 2)
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

t.test(
  'a message comes as HTML or as it was written, and the empty topic under its name unless that is known',
  async t => {
    const channel = await channelOf([author])
    const id = await say(author, channel.id, 'all *three*', '')
    const get = (params = {}) => author.ok('GET', `/messages/${id}`, params)
    const { message, raw_content } = await get()
    t.same(checkObject('message', message), [])
    t.match(message, { content: '<p>all <em>three</em></p>', content_type: 'text/html', subject: 'general chat' })
    t.equal(raw_content, 'all *three*')
    t.match((await get({ apply_markdown: false })).message, { content: 'all *three*', content_type: 'text/x-markdown' })
    t.equal((await get({ allow_empty_topic_name: true })).message.subject, '')
    t.equal((await get({ allow_empty_topic_name: false })).message.subject, 'general chat')
  },
)

t.test('what one may not see is as what is not there', async t => {
  const channel = await channelOf([author], { invite_only: true })
  const id = await say(author, channel.id)
  const answers = await Promise.all([id, id + 1000, 2 ** 40].map(one => stranger.get(`/messages/${one}`)))
  for (const answer of answers) t.match(answer, refused)
  t.equal(new Set(answers.map(({ body }) => body.msg)).size, 1)
  t.match(await server.api(null).get(`/messages/${id}`), { status: 401, body: { code: 'UNAUTHORIZED' } })
})
