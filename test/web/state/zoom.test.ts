import t from 'tap'
import { panBy, whole, zoomAt } from '../../../server/web/state/zoom.js'

const room = { frame: { width: 1000, height: 800 }, fitted: { width: 1000, height: 500 } }
const middle = { x: 0, y: 0 }

t.test('a point stays where it is while the picture grows around it', async t => {
  t.same(zoomAt(whole, 2, { x: 100, y: 0 }, room), { scale: 2, x: -100, y: 0 })
  const far = zoomAt(zoomAt(whole, 2, { x: 300, y: 50 }, room), 2, { x: 300, y: 50 }, room)
  t.equal(far.scale, 4)
  t.equal(far.x, -900)
})

t.test('it is never smaller than the whole, nor larger than eight times', async t => {
  t.same(zoomAt({ scale: 2, x: -500, y: 0 }, 0.1, middle, room), whole)
  t.equal(zoomAt(whole, 100, middle, room).scale, 8)
})

t.test('it moves only as far as something of it is out of sight', async t => {
  t.same(panBy(whole, { x: 50, y: 50 }, room), whole)
  t.same(panBy({ scale: 2, x: 0, y: 0 }, { x: 9_000, y: -9_000 }, room), { scale: 2, x: 500, y: -100 })
})
