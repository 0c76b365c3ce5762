// Ranges of ids are used without a look at each id, with the result that a look at each id has.
import fc from 'fast-check'
import t from 'tap'
import {
  forEachRunWithin,
  gapsBetween,
  type IdRange,
  lowerBound,
  rangeTest,
} from '../../server/store/driver/id-ranges.js'

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 60 })).map(list => list.sort((a, b) => a - b))
/** Ascending ranges without overlaps; the last one may have no end. */
const ranges = fc.tuple(ids, fc.boolean()).map(([ends, isOpen]) => {
  const list: IdRange[] = []
  for (let i = 0; i + 1 < ends.length; i += 2) list.push({ from: ends[i] as number, to: ends[i + 1] as number })
  const last = list.pop()
  return last ? [...list, isOpen ? { ...last, to: Number.POSITIVE_INFINITY } : last] : list
})
const contain = (list: readonly IdRange[], id: number) => list.some(({ from, to }) => id >= from && id < to)

t.test('an id is in a range or in a gap, never in both', t => {
  fc.assert(
    fc.property(ranges, list => {
      const gaps = gapsBetween(list)
      const all = Array.from({ length: 70 }, (_, id) => id)
      t.same(
        all.filter(id => contain(gaps, id)),
        all.filter(id => !contain(list, id)),
      )
    }),
  )
  t.end()
})

t.test('the ids within ranges are visited once each, ascending', t => {
  fc.assert(
    fc.property(ids, ranges, (list, within) => {
      const visited: number[] = []
      forEachRunWithin({ ids: list, ranges: within }, (from, to) => visited.push(...list.slice(from, to)))
      t.same(
        visited,
        list.filter(id => contain(within, id)),
      )
      t.same(visited, list.filter(rangeTest(within)))
    }),
  )
  t.end()
})

t.test('the first id that is not below another one is found from any position', t => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 70 }), fc.nat(30), (list, id, low) => {
      const expected = list.findIndex((one, i) => i >= low && one >= id)
      t.equal(lowerBound(list, id, Math.min(low, list.length)), expected === -1 ? list.length : expected)
    }),
  )
  t.end()
})
