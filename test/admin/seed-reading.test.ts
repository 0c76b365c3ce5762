import t from 'tap'
import { Random } from '../../server/admin/seed/random.js'
import { makeReadings } from '../../server/admin/seed/reading.js'

const upTo = (count: number) => [...Array(count).keys()].map(i => i + 1)

t.test('each reading gap starts at or before its end and stays within the messages', async t => {
  for (const count of [1, 7, 500, 2000]) {
    for (let seed = 1; seed <= 5; seed++) {
      const readings = makeReadings(new Random(seed), upTo(5000), upTo(count))
      t.same(
        readings.filter(one => one.gapFrom > one.gapTo || one.gapTo > count || one.upTo < 1 || one.upTo > count),
        [],
      )
    }
  }
})

t.test('where there is no message nothing has been read', async t => {
  t.same(makeReadings(new Random(1), [7], []), [{ userId: 7, upTo: 0, gapFrom: 0, gapTo: 0 }])
})
