import t from 'tap'
import { InProgress, type Placed } from '../../server/http/in-progress.js'

const request = (): Placed => ({ place: -1 })

t.test('what was added is listed until it is taken out, whichever one it is', async t => {
  for (const gone of [0, 1, 2]) {
    const all = [request(), request(), request()]
    const list = new InProgress<Placed>()
    for (const one of all) list.add(one)
    t.same(new Set(list.list()), new Set(all))
    list.delete(all[gone] as Placed)
    const left = all.filter((_, i) => i !== gone)
    t.equal(list.size, 2)
    t.ok(left.every(one => list.list().includes(one)))
    for (const one of left) list.delete(one)
    t.equal(list.size, 0)
  }
})

t.test('taking one out again takes out no other', async t => {
  const [first, second, late] = [request(), request(), request()]
  const list = new InProgress<Placed>()
  list.add(first)
  list.add(second)
  list.delete(first)
  list.delete(first)
  t.same(list.list(), [second])
  list.add(late)
  list.delete(first)
  t.equal(list.size, 2)
  list.add(first)
  list.delete(second)
  t.same(new Set(list.list()), new Set([late, first]))
})

t.test('the list may be changed while it is gone through', async t => {
  const list = new InProgress<Placed>()
  const all = Array.from({ length: 10 }, request)
  for (const one of all) list.add(one)
  let seen = 0
  for (const one of list.list()) {
    list.delete(one)
    seen++
  }
  t.equal(seen, 10)
  t.equal(list.size, 0)
})
