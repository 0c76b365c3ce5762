import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { createLog } from '../../server/log.js'
import { noNames } from '../../server/text/names.js'
import type { PlacedPart } from '../../server/text/slow-parts.js'
import { RenderThreads } from '../../server/text/threads/render-threads.js'
import { someNames } from './some-names.js'

const formula = (source: string): PlacedPart => ({ part: { kind: 'formula', source, isDisplay: false }, plain: '' })
// It takes the whole budget of time.
const worst = formula(`\\def\\a{${'x'.repeat(2000)}}${'\\a'.repeat(300)}`)
const log = createLog('silent', 'test')

// Long enough for a busy machine, where a new thread may need many seconds.
const waitMs = 100_000
const threads = () => new RenderThreads(log, { partsMs: waitMs, textMs: waitMs })

t.test('parts are rendered in their order, and a bad one does not harm the others', async t => {
  const pool = threads()
  t.teardown(() => pool.stop())
  const code: PlacedPart = { part: { kind: 'code', source: 'let x', grammar: 'javascript' }, plain: '' }
  const [first, bad, last] = await pool.render([formula('x'), formula('\\frac{'), code])
  t.match(first, 'class="katex"')
  t.equal(bad, null)
  t.match(last, '<span class="k">let</span>')
})

t.test('what takes too long is given up, and what came before it is kept', async t => {
  const pool = threads()
  t.teardown(() => pool.stop())
  const [first, second, third] = await pool.render([formula('x'), worst, formula('x')])
  t.match(first, 'class="katex"')
  t.same([second, third], [null, null])
  t.match((await pool.render([formula('x')]))[0], 'class="katex"', 'the thread goes on')
})

t.test('more messages than may wait are plain at once', async t => {
  const pool = threads()
  t.teardown(() => pool.stop())
  const most = budgets.renderThreads.most + budgets.renderQueue.most
  const accepted = Array.from({ length: most }, () => pool.render([formula('x')]))
  t.same(await pool.render([formula('x')]), [])
  for (const one of accepted) t.match((await one)[0], 'class="katex"')
})

const linkifiers = [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/i/{id}' }]

t.test('a whole text is rendered with its names, linkifiers, formulas and code', async t => {
  const pool = threads()
  t.teardown(() => pool.stop())
  const text = '@**Ann Lee** #7 $$x$$'
  const { html, mentions } = await pool.renderText(text, someNames, linkifiers)
  t.match(html, '<span class="user-mention" data-user-id="5">@Ann Lee</span> <a href="https://t.example/i/7">#7</a>')
  t.match(html, 'class="katex"')
  t.same(mentions.userIds, [5])
  const without = await pool.renderText(text, noNames, [])
  t.match(without.html, '@<strong>Ann Lee</strong> #7', 'neither names nor linkifiers of the text before')
})

t.test('a text is refused while too many wait, and when the threads stop', async t => {
  const pool = threads()
  const most = budgets.renderThreads.most + budgets.textQueue.most
  const refused = { code: 'SERVER_NOT_READY' }
  const accepted = Array.from({ length: most }, () => pool.renderText('*a*', noNames, []).catch(error => error))
  await t.rejects(pool.renderText('*a*', noNames, []), refused)
  t.same(await pool.render([formula('x')]), [], 'formulas of another message stay plain')
  await pool.stop()
  for (const one of accepted) t.match(await one, refused)
})

t.test('a text that ends its thread is shown as typed, and the thread is replaced', async t => {
  const pool = threads()
  t.teardown(() => pool.stop())
  const endless = { pattern: '(', url_template: 1 as unknown as string }
  t.equal((await pool.renderText('*a*', noNames, [endless])).html, '<p>*a*</p>')
  t.equal((await pool.renderText('*a*', noNames, [])).html, '<p><em>a</em></p>')
})

t.test('a stop ends what runs and what waits', async t => {
  const pool = threads()
  const answers = Array.from({ length: 10 }, () => pool.render([worst]))
  await pool.stop()
  for (const answer of answers) t.ok((await answer).every(html => html === null))
})
