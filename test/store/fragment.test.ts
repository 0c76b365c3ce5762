import t from 'tap'
import { every, type Fragment, joinFragments, q, unionAll } from '../../server/store/driver/fragment.js'

t.test('fragments are taken in with their values, in order', async t => {
  const inner = q`a = ${1} or b = ${2}`
  t.same(q`x ${inner} y ${3}`, { strings: ['x a = ', ' or b = ', ' y ', ''], values: [1, 2, 3] })
  t.same(every([q`a = ${1}`, q`b`, q`c = ${2}`]), { strings: ['a = ', ' and b and c = ', ''], values: [1, 2] })
  t.same(every([]), { strings: ['true'], values: [] })
  t.same(unionAll([q`a`, q`b`]), { strings: ['a union all b'], values: [] })
})

t.test('the work of joining grows with the number of fragments, not with its square', async t => {
  /** Milliseconds of CPU: the least of a few, for what else the machine does only adds to it. */
  const cost = (join: (all: readonly Fragment[]) => Fragment, count: number) => {
    const all = Array.from({ length: count }, (_, i) => q`a = ${i}`)
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      join(all)
      return process.cpuUsage(before).user
    })
    return Math.min(...times) / 1000
  }
  for (const join of [every, unionAll, (all: readonly Fragment[]) => joinFragments(all, ' && ')]) {
    const [few, many] = [cost(join, 2_000), cost(join, 32_000)]
    t.ok(many < 64 * Math.max(few, 1), `16 times the fragments: ${few} ms, ${many} ms`)
  }
})
