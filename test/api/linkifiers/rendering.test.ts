import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { clear } from './scene.js'

const server = await startServer(t)
const admin = await clear(server)
await admin.ok('POST', '/realm/filters', { pattern: 'BUG-(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' })
const { id: channel } = await admin.ok('POST', '/channels/create', { name: 'bugs', subscribers: [admin.id] })
const link = (id: number) => `<a href="https://bugs.example/${id}">BUG-${id}</a>`
const topicLink = (id: number) => ({ text: `BUG-${id}`, url: `https://bugs.example/${id}` })

t.test('links of a message and its topic are in the event and in later answers', async t => {
  const ear = await Listener.start(server.ctx, admin, { apply_markdown: true })
  const content = 'see BUG-1 and `BUG-2`'
  const sent = { type: 'channel', to: channel, topic: 'BUG-7 again', content }
  const { id } = await admin.ok('POST', '/messages', sent)
  const rendered = `<p>see ${link(1)} and <code>BUG-2</code></p>`
  const event = (await ear.events(t)).find(({ type }) => type === 'message')
  t.match(event, { message: { id, content: rendered, topic_links: [topicLink(7)] } })
  const { message } = await admin.ok('GET', `/messages/${id}`)
  t.match(message, { content: rendered, topic_links: [topicLink(7)] })
  t.same(checkObject('message', message), [])
  const { messages } = await admin.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  t.same(messages[0].topic_links, [topicLink(7)])
})

t.test('an edit is rendered with them, and a new topic has its links', async t => {
  const sent = { type: 'channel', to: channel, topic: 'plain', content: 'plain' }
  const { id } = await admin.ok('POST', '/messages', sent)
  const ear = await Listener.start(server.ctx, admin)
  await admin.ok('PATCH', `/messages/${id}`, { content: 'BUG-3' })
  await admin.ok('PATCH', `/messages/${id}`, { topic: 'now BUG-4' })
  const events = (await ear.events(t)).filter(event => event.type === 'update_message')
  t.match(events, [{ rendered_content: `<p>${link(3)}</p>` }, { topic_links: [topicLink(4)] }])
})

t.test('a pattern with catastrophic backtracking in other engines delays no message', async t => {
  const pattern = '(?P<id>(a+)+|a[^b]*b)'
  const { id } = await admin.ok('POST', '/realm/filters', { pattern, url_template: 'https://x.example/{id}' })
  const { id: sent } = await admin.ok('POST', '/messages', {
    type: 'direct',
    to: [admin.id],
    content: `${'a '.repeat(2_490)}${'a'.repeat(5_000)}! BUG-5`,
  })
  t.match((await admin.ok('GET', `/messages/${sent}`)).message.content, '<a href="https://x.example/a">a</a> ')
  await admin.ok('DELETE', `/realm/filters/${id}`)
})
