import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [author, reader] = await people(server, 2)
const formula = '```math\n\\frac{a}{b}\n```'
const code = '```sql\nSELECT 1;\n```'

t.test('formulas and code of a message, an edit and a preview are rendered', async t => {
  const channel = await channelOf([author, reader])
  const typeset = /^<p><span class="katex-display"><span class="katex">.*<\/span><\/p>$/
  const coloured = '<code><span class="k">SELECT</span>'
  const id = await say(author, channel.id, formula)
  const contentOf = async () => (await reader.ok('GET', `/messages/${id}`)).message.content
  t.match(await contentOf(), typeset)
  await author.ok('PATCH', `/messages/${id}`, { content: code })
  t.match(await contentOf(), coloured)
  t.match((await author.ok('POST', '/messages/render', { content: formula })).rendered, typeset)
})

t.test('others are answered while the worst formula is rendered', async t => {
  // Each of them takes the whole budget of time, and a worker has two threads.
  const content = `$$\\def\\a{${'x'.repeat(2000)}}${'\\a'.repeat(300)}$$`
  const worst = Array.from({ length: 12 }, () => author.ok('POST', '/messages/render', { content }))
  let finished = 0
  for (const one of worst) void one.then(() => finished++)
  await reader.ok('GET', '/users/me')
  t.ok(finished < worst.length, 'an answer came before the last of the worst messages')
  for (const one of worst) t.equal((await one).rendered, `<p><span class="tex-error">${content}</span></p>`)
})

t.test('more of them than may wait are shown as typed, and the next message is rendered', async t => {
  const content = `$$\\def\\a{${'x'.repeat(2000)}}${'\\a'.repeat(300)}$$`
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => author.ok('POST', '/messages/render', { content })),
  )
  for (const { rendered } of answers) t.match(rendered, 'tex-error')
  t.match((await author.ok('POST', '/messages/render', { content: '$$x$$' })).rendered, 'class="katex"')
})
