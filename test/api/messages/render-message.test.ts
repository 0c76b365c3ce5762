import t from 'tap'
import type { Person } from '../../support/people.js'
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

t.test('a channel that a guest may not read is no link for it', async t => {
  const guest = await server.person({ role: 600 })
  const [open, own] = [await channelOf([author]), await channelOf([author, guest])]
  const { rendered } = await guest.ok('POST', '/messages/render', { content: `#**${open.name}** #**${own.name}**` })
  t.notMatch(rendered, `#${open.name}<`)
  t.match(rendered, `">#${own.name}</a>`)
})

t.test('a link to a topic has the newest message that the author can read', async t => {
  const shown = async (who: Person, ...contents: string[]) => {
    const { rendered } = await who.ok('POST', '/messages/render', { content: contents.join(' ') })
    return Array.from(rendered.matchAll(/\/topic\/([^"]*)"/g), ([, path]: string[]) => path)
  }
  const { id, name } = await channelOf([author])
  await say(author, id, 'first', 'Talk')
  const newest = await say(author, id, 'second', 'talk')
  const unnamed = await say(author, id, 'third', '')
  await say(author, id, 'fourth', 'other')
  t.same(await shown(reader, `#**${name}>TALK**`, `#**${name}>**`, `#**${name}>new**`, `#**${name}>talk@1**`), [
    `TALK/with/${newest}`,
    `/with/${unnamed}`,
    'new',
    'talk/near/1',
  ])
  const closed = await channelOf([author], { invite_only: true, history_public_to_subscribers: false })
  const early = await say(author, closed.id, 'early', 'talk')
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [closed], principals: [reader.id] })
  t.same(await shown(reader, `#**${closed.name}>talk**`), ['talk'], 'sent before the reader came')
  t.same(await shown(author, `#**${closed.name}>talk**`), [`talk/with/${early}`])
  const late = await say(author, closed.id, 'late', 'talk')
  t.same(await shown(reader, `#**${closed.name}>talk**`), [`talk/with/${late}`])
  t.same(await shown(stranger, `#**${closed.name}>talk**`), [])
  const many = Array.from({ length: 150 }, (_, n) => `#**${name}>talk${n}**`)
  t.equal((await shown(reader, ...many, `#**${name}>talk**`)).at(-1), 'talk', 'beyond the budget')
})

t.test('what is refused', async t => {
  for (const content of [undefined, 'x'.repeat(10_001), 'a\0b']) {
    t.match(await render(content), { status: 400, body: { result: 'error' } }, String(content).slice(0, 5))
  }
  t.match(await render('x'.repeat(10_000)), { status: 200 })
  const answer = await server.api(null).call('POST', '/messages/render', { content: 'x' })
  t.match(answer, { status: 401, body: { code: 'UNAUTHORIZED' } })
})
