import t from 'tap'
import type { Entry } from '../../server/realtime/encoding/index.js'
import { EntryCache } from '../../server/realtime/feed/entry-cache.js'

const entry = (id: number, size = 1, previous = id - 1) => ({ id, previous, bytes: new Uint8Array(size) }) as Entry
const idsOf = (cache: EntryCache) => [...cache.between(0, Number.POSITIVE_INFINITY)].map(({ id }) => id)

function filled(count: number, size = 1): EntryCache {
  const cache = new EntryCache([])
  for (let id = 1; id <= count; id++) cache.add(entry(id, size))
  return cache
}

t.test('entries come in the order of the feed, also after some of them were used', async t => {
  const cache = filled(5)
  cache.get(2)
  cache.get(1)
  t.same(idsOf(cache), [1, 2, 3, 4, 5])
  t.same(
    [...cache.between(2, 4)].map(({ id }) => id),
    [3, 4],
  )
  t.equal(cache.get(6), undefined)
  t.equal(cache.newest, 5)
})

t.test('an entry after a gap empties the cache', async t => {
  const cache = filled(3)
  cache.add(entry(7, 1, 5))
  t.same(idsOf(cache), [7])
  t.equal(cache.start, 5)
  t.equal(cache.get(3), undefined)
})

t.test('the oldest of too many entries is evicted, also if it was used just now, and the start is known', async t => {
  const cache = filled(16_384)
  t.equal(cache.start, 0)
  t.ok(cache.get(1))
  cache.add(entry(16_385))
  t.equal(cache.get(1), undefined)
  t.equal(cache.start, 1)
  t.ok(cache.get(2))
})

t.test('as many entries are evicted as a large one needs', async t => {
  const mega = 1024 * 1024
  const cache = filled(16, mega)
  t.equal(cache.start, 0)
  cache.add(entry(17, 3 * mega))
  t.equal(cache.start, 3)
  t.same(idsOf(cache), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
  t.test('and an entry that is larger than the cache leaves no gap', async t => {
    cache.add(entry(18, 20 * mega))
    t.same(idsOf(cache), [18])
    t.equal(cache.start, 17)
    cache.add(entry(19))
    t.same(idsOf(cache), [19])
    t.equal(cache.start, 18)
  })
})
