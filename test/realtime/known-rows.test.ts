import t from 'tap'
import { KnownRows } from '../../server/realtime/feed/known-rows.js'

function rowsOf(...inFeed: number[]) {
  const rows = new KnownRows(inFeed.map(id => ({ outboxId: id, id: 16 * id })))
  /** A transaction that begins, sees the rows and ends before the next one. */
  const before = (ids: number[], { ended = 10, xid = 10, noted = rows.noted, isAll = true } = {}) =>
    rows.before({ ids, isAll, ended, xid, noted })
  return { rows, before }
}

t.test('a worker that has seen nothing asks for every row, and publishes those that it does not know', async t => {
  const { rows, before } = rowsOf(2)
  t.equal(rows.above, 0)
  t.same(before([1, 2, 3]), [1, 3])
})

t.test('rows are asked for until no transaction is left that may store a lower one', async t => {
  const { rows, before } = rowsOf(2, 3)
  // Transaction 13 is still running and holds row 1. Its id is not below the xmax of this snapshot, 13.
  t.same(before([2, 3], { ended: 13, xid: 12 }), [])
  t.same(before([2, 3], { ended: 13, xid: 14 }), [])
  t.equal(rows.above, 0)
  t.same(before([1, 2, 3], { ended: 15, xid: 15 }), [1], 'it has committed, and its worker has not published it')
  t.equal(rows.above, 0)
  rows.read(1, 16)
  t.same(before([1, 2, 3, 4], { ended: 16, xid: 16 }), [4])
  t.equal(rows.above, 3)
})

t.test('a transaction that began before a row was seen does not tell when lower ones are complete', async t => {
  const { rows, before } = rowsOf(2)
  const noted = rows.noted
  t.same(before([2], { ended: 11, xid: 12 }), [])
  // It began before and so has a lower id than transaction 13, which is still running and holds row 1.
  t.same(before([2], { ended: 11, xid: 11, noted }), [])
  t.same(before([2], { ended: 13, xid: 14, noted }), [])
  t.equal(rows.above, 0)
  t.same(before([1, 2], { ended: 15, xid: 15 }), [1])
})

t.test('rows on their way from this worker are known', async t => {
  const { rows, before } = rowsOf()
  for (const id of [1, 2]) rows.publishes(id)
  t.same(before([1, 2]), [])
  t.same(before([1, 2]), [])
  t.equal(rows.above, 2)
})

t.test('I1: rows that follow each other are known without a question, up to the first unknown one', async t => {
  const { rows, before } = rowsOf(1, 2, 4)
  t.equal(rows.above, 2)
  rows.publishes(5)
  t.equal(rows.above, 2, 'row 3 may be stored by a worker that has not published it')
  t.same(before([3, 4, 5]), [3])
  rows.read(3, 48)
  t.equal(rows.above, 5)
  rows.read(6, 96)
  t.equal(rows.above, 6)
})

t.test('I1: a question from before a row was known does not lead back below it', async t => {
  const { rows, before } = rowsOf()
  rows.publishes(1)
  rows.publishes(2)
  t.same(before([1], { ended: 10, xid: 10 }), [])
  t.same(before([1], { ended: 11, xid: 11 }), [])
  t.same(before([1], { ended: 12, xid: 12 }), [])
  t.equal(rows.above, 2)
})

t.test('too many unknown rows are not read, nor rows that not all are there', async t => {
  const many = Array.from({ length: 1001 }, (_, i) => i + 1)
  t.same(rowsOf().before(many.slice(1))?.length, 1000)
  t.equal(rowsOf().before(many), null)
  t.equal(rowsOf(1).before([1], { isAll: false }), null)
})

t.test('the oldest rows in the feed are forgotten', async t => {
  const { rows } = rowsOf(1, 2)
  for (let id = 3; id <= 65_537; id++) rows.read(id, 16 * id)
  t.notOk(rows.isInFeed(1))
  t.ok(rows.isInFeed(2))
  t.ok(rows.isInFeed(65_537))
})

t.test('a row that is in the feed a second time is recognized by its first entry', async t => {
  const { rows } = rowsOf(1)
  t.equal(rows.read(1, 320), 16)
  t.equal(rows.read(2, 336), undefined)
  t.equal(rows.read(2, 352), 336)
  t.ok(rows.isInFeed(2))
})
