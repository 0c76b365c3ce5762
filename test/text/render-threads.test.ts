import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { createLog } from '../../server/log.js'
import { RenderThreads } from '../../server/text/render-threads.js'
import type { PlacedPart } from '../../server/text/slow-parts.js'

const formula = (source: string): PlacedPart => ({ part: { kind: 'formula', source, isDisplay: false }, plain: '' })
// It takes the whole budget of time.
const worst = formula(`\\def\\a{${'x'.repeat(2000)}}${'\\a'.repeat(300)}`)
const log = createLog('silent', 'test')

const threads = () => new RenderThreads(log)

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

t.test('a stop ends what runs and what waits', async t => {
  const pool = threads()
  const answers = Array.from({ length: 10 }, () => pool.render([worst]))
  await pool.stop()
  for (const answer of answers) t.ok((await answer).every(html => html === null))
})
