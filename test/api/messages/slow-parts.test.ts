import t from 'tap'
import { untilFormulasRender } from '../../support/formulas.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [author, reader] = await people(server, 2)
const formula = '```math\n\\frac{a}{b}\n```'
// It takes the whole budget of time, and the worker itself renders the text around it.
const worstFormula = `$$\\def\\a{${'x'.repeat(400)}}${'\\a'.repeat(290)}$$`
const code = '```sql\nSELECT 1;\n```'

await untilFormulasRender(author)

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
  const content = worstFormula
  const worst = Array.from({ length: 12 }, () => author.ok('POST', '/messages/render', { content }))
  let finished = 0
  for (const one of worst) void one.then(() => finished++)
  await reader.ok('GET', '/users/me')
  t.ok(finished < worst.length, 'an answer came before the last of the worst messages')
  for (const one of worst) t.equal((await one).rendered, `<p><span class="tex-error">${content}</span></p>`)
})

t.test('more of them than may wait are shown as typed, and the next message is rendered', async t => {
  const content = worstFormula
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => author.ok('POST', '/messages/render', { content })),
  )
  for (const { rendered } of answers) t.match(rendered, 'tex-error')
  t.match((await author.ok('POST', '/messages/render', { content: '$$x$$' })).rendered, 'class="katex"')
})

t.test('a long message mentions, links to channels and shows emoji like a short one', async t => {
  const channel = await channelOf([author, reader])
  const text = (length: number) => `@**${reader.full_name}** #**${channel.name}** :smile: ${'*a* '.repeat(length)}`
  const [short, long] = [await say(author, channel.id, text(1)), await say(author, channel.id, text(1000))]
  const stored = async (id: number) => (await reader.ok('GET', `/messages/${id}`)).message
  const [one, other] = [await stored(short), await stored(long)]
  t.match(one, {
    flags: ['mentioned'],
    content: new RegExp(`data-user-id="${reader.id}".*class="stream".*emoji-1f642`),
  })
  t.same(other.flags, one.flags)
  t.equal(other.content, one.content.replace(/<em>a<\/em>.*/, `${Array(1000).fill('<em>a</em>').join(' ')}</p>`))
})

t.test('others are answered while the worst long texts are rendered', async t => {
  const texts = ['👍@**', ':smile:a.', 'é.org,', '@*@*'].map(unit => unit.repeat(10_000 / unit.length))
  let finished = 0
  const worst = Array.from({ length: 24 }, async (_, n) => {
    const { rendered } = await author.ok('POST', '/messages/render', { content: texts[n % texts.length] })
    finished++
    return rendered
  })
  await reader.ok('GET', '/users/me')
  t.ok(finished < worst.length, 'an answer came before the last of the worst messages')
  for (const rendered of await Promise.all(worst)) t.match(rendered, /^<p>/)
})
