import t from 'tap'
import { cropOf, panBy, roomToMove, whole, zoomAt } from '../../../server/web/state/zoom.js'

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

t.test('a frame shows a square of the picture', async t => {
  const square = { frame: { width: 200, height: 200 }, fitted: { width: 400, height: 200 } }
  const picture = { width: 1600, height: 800 }
  t.same(roomToMove(1, square), { x: 100, y: 0 })
  t.same(cropOf(whole, square, picture), { x: 400, y: 0, side: 800 }, 'its middle')
  t.same(cropOf(panBy(whole, { x: -900, y: 5 }, square), square, picture), { x: 800, y: 0, side: 800 }, 'its right end')
  t.same(cropOf({ scale: 2, x: 0, y: 0 }, square, picture), { x: 600, y: 200, side: 400 }, 'enlarged')
})
