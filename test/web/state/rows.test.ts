import t from 'tap'
import { messagesBetween, placeAbove } from '../../../server/web/chat/feed/rows.js'

const items = ['place:10', 'head:10', 'tail:11', 'day:1760000000', 'place:12', 'head:12', 'unsent:a.1']
// Each row is 100 pixels high.
const rows = {
  findItemIndex: (offset: number) => Math.min(items.length - 1, Math.max(0, Math.floor(offset / 100))),
  getItemOffset: (index: number) => index * 100,
}

t.test('the messages between two offsets are those of rows that are in part between them', async t => {
  t.same(messagesBetween(items, rows, 150, 250), [10, 11])
  t.same(messagesBetween(items, rows, 0, 650), [10, 11, 12])
})

t.test('headings, days and messages that are not sent yet are no messages', async t => {
  t.same(messagesBetween(items, rows, 300, 499), [])
  t.same(messagesBetween(items, rows, 600, 700), [])
})

t.test('the place of the row at the top is shown once its heading is above', async t => {
  t.equal(placeAbove(items, rows, 1), 10)
  t.equal(placeAbove(items, rows, 350), 10)
  t.equal(placeAbove(items, rows, 450), 12)
})

t.test('no place is shown while its heading is visible, or where rows have no headings', async t => {
  t.equal(placeAbove(items, rows, 0), undefined)
  t.equal(placeAbove(items, rows, 400), undefined)
  t.equal(placeAbove(['head:10', 'tail:11'], rows, 150), undefined)
})
