// Runs of positions in a list give the same ids as copies of them.
import fc from 'fast-check'
import t from 'tap'
import { IdRuns } from '../../server/store/driver/id-runs.js'

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 60 })).map(list => list.sort((a, b) => a - b))
/** Some ids of an ascending list. */
const chosen = fc
  .tuple(ids, fc.infiniteStream(fc.boolean()))
  .map(([list, isChosen]) => ({ list, some: list.filter(() => isChosen.next().value) }))

function runsOf(list: readonly number[], some: readonly number[]): IdRuns {
  const runs = new IdRuns(list)
  for (const id of some) runs.add(list.indexOf(id), list.indexOf(id) + 1)
  return runs
}

t.test('the ids that were added', t => {
  fc.assert(
    fc.property(chosen, ({ list, some }) => {
      const runs = runsOf(list, some)
      t.same(
        { count: runs.count, values: runs.values(), first: runs.first, last: runs.last },
        { count: some.length, values: some, first: some[0], last: some.at(-1) },
      )
    }),
  )
  t.end()
})

t.test('neighbours are one run, also where ids are added to the list later', t => {
  const list = [3, 5, 8, 9]
  const runs = runsOf(list, [3, 5, 9])
  list.push(12)
  const found: number[][] = []
  runs.forEachRun((from, to) => found.push([from, to]))
  t.same(found, [
    [0, 2],
    [3, 4],
  ])
  runs.add(2, 2)
  t.equal(runs.count, 3, 'no ids are no run')
  t.same(IdRuns.all(list).values(), list)
  t.end()
})

t.test('those from an id on, and those of another list', t => {
  fc.assert(
    fc.property(chosen, ids, fc.integer({ min: 0, max: 70 }), ({ list, some }, others, id) => {
      const runs = runsOf(list, some)
      const since = some.filter(one => one >= id)
      t.same(
        { since: runs.since(id).values(), count: runs.countSince(id), common: runs.common(others) },
        { since, count: since.length, common: some.filter(one => others.includes(one)) },
      )
    }),
  )
  t.end()
})
