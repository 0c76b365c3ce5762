import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [author, reader, stranger] = await people(server, 3)
const render = (content: unknown) => author.call('POST', '/messages/render', { content })

t.test('a preview is what the message will be', async t => {
  const channel = await channelOf([author, reader])
  for (const content of [
    'Soup **today** :tada: `now`',
    `@**${reader.full_name}** and #**${channel.name}**`,
    '```quote\nold\n```\n\n<script>alert(1)</script> [x](javascript:alert(1))',
  ]) {
    const id = await say(author, channel.id, content)
    const { message } = await author.ok('GET', `/messages/${id}`)
    t.equal((await author.ok('POST', '/messages/render', { content })).rendered, message.content, content)
  }
})

t.test('a preview emits no event', async t => {
  const channel = await channelOf([author, reader])
  const { max_message_id: before } = await reader.ok('POST', '/register', { fetch_event_types: ['message'] })
  await render(`@**${reader.full_name}** #**${channel.name}**`)
  const { max_message_id: after } = await reader.ok('POST', '/register', { fetch_event_types: ['message'] })
  t.equal(after, before)
})

t.test('a private channel is no link for who is not in it', async t => {
  const { name } = await channelOf([stranger], { invite_only: true })
  const { rendered } = await author.ok('POST', '/messages/render', { content: `#**${name}**` })
  t.notMatch(rendered, /href/)
})

t.test('what is refused', async t => {
  for (const content of [undefined, 'x'.repeat(10_001), 'a\0b']) {
    t.match(await render(content), { status: 400, body: { result: 'error' } }, String(content).slice(0, 5))
  }
  t.match(await render('x'.repeat(10_000)), { status: 200 })
  const answer = await server.api(null).call('POST', '/messages/render', { content: 'x' })
  t.match(answer, { status: 401, body: { code: 'UNAUTHORIZED' } })
})
