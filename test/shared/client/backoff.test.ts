import t from 'tap'
import { Backoff } from '../../../shared/client/backoff.js'

const pauses = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.next())

t.test('the bound of the pauses doubles until it is at its greatest', async t => {
  const backoff = new Backoff({ firstMs: 100, maxMs: 1000, random: () => 0.999999 })
  t.same(pauses(backoff, 6), [100, 200, 400, 800, 1000, 1000])
})

t.test('a pause is a random part of its bound, so that clients do not come back together', async t => {
  const parts = [0, 0.5, 0.25]
  const backoff = new Backoff({ firstMs: 100, maxMs: 1000, random: () => parts.shift() ?? 0 })
  t.same(pauses(backoff, 3), [0, 100, 100])
})

t.test('it stays sensible after years of attempts, and short again after a reset', async t => {
  const backoff = new Backoff({ firstMs: 100, maxMs: 1000, random: () => 0.999999 })
  t.equal(pauses(backoff, 5000).at(-1), 1000)
  backoff.reset()
  t.equal(backoff.next(), 100)
})
