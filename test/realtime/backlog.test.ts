import t from 'tap'
import { Backlog } from '../../server/realtime/delivery/backlog.js'
import { Encoded } from '../../server/realtime/encoding/encoded.js'
import type { Entry } from '../../server/realtime/encoding/entry.js'
import { EntryCache } from '../../server/realtime/feed/entry-cache.js'
import type { Feed } from '../../server/realtime/feed/feed.js'
import type { LogStore } from '../../server/realtime/queues/log-store.js'
import type { Queue } from '../../server/realtime/queues/queue.js'

// Minimal entries and queues with the fields that the backlog reads; hence the casts.
/** A queue with `count` undelivered entries of these sizes, which only the feed contains. */
function behind(count: number, bytesOf: (n: number) => number) {
  const all = Array.from({ length: count }, (_, n) => (n + 1) * 16)
  const seen = { fetched: 0, calls: 0 }
  const feed: Pick<Feed, 'fetch'> = {
    async fetch(ids) {
      seen.fetched += ids.length
      seen.calls++
      return ids.map(id => ({ id, bytes: new Uint8Array(bytesOf(id / 16)) }) as unknown as Entry)
    },
  }
  const queue = {
    spilledUpto: 0,
    acked: -1,
    idsAfter: (after: number, limit: number) => all.filter(id => id > after).slice(0, limit),
    accepts: ({ id, bytes }: Entry) => new Encoded(id, [{ type: 'any' }], bytes.length),
  } as unknown as Queue
  const backlog = new Backlog(new EntryCache([]), feed as Feed, {} as LogStore)
  return { backlog, queue, all, seen }
}

for (const [what, bytesOf] of [
  ['short', () => 100],
  ['of a kilobyte', () => 1000],
  ['long', () => 8000],
  ['longer than a page', () => 100_000],
  ['first short, then long', (n: number) => (n < 300 ? 100 : 20_000)],
  ['of all lengths', (n: number) => (n % 10 === 0 ? 30_000 : 300)],
] as [string, (n: number) => number][]) {
  t.test(`entries ${what} are fetched about once, in few calls`, async t => {
    const { backlog, queue, all, seen } = behind(1000, bytesOf)
    const got: number[] = []
    let pages = 0
    for (let after = 0; after < (all.at(-1) as number); pages++) {
      const page = await backlog.read(queue, after, 64 * 1024)
      t.ok(page.upto > after)
      got.push(...page.list.map(({ id }) => id))
      after = page.upto
    }
    t.same(got, all)
    t.ok(seen.fetched <= all.length * 3, `${seen.fetched} of ${all.length}`)
    t.ok(seen.calls <= pages * 5, `${seen.calls} calls for ${pages} pages`)
  })
}
