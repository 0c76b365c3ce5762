import type { Entry } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache, Feed } from '../feed/index.js'
import type { Eviction, Queue, Queues } from '../queues/index.js'
import { TimeSlice } from '../time-slice.js'

/** A queue that this worker has taken over and not yet backfilled. */
export interface Claimed {
  readonly queue: Queue
  readonly references: readonly number[]
  /** The queue log is complete up to this id; later entries come from the feed. */
  readonly from: number
  /** Entries after this id reach the queue through the tail. */
  readonly upto: number
  readonly found: number[]
  isLost: boolean
}

interface BackfillParts {
  readonly queues: Queues
  readonly feed: Feed
  readonly cache: EntryCache
  readonly eviction: Eviction
}

/** Backfills queues after their takeover from their logs and from the feed, which is read once for all of them. */
export class Backfill {
  private readonly underWay = new Map<Queue, Promise<void>>()

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: BackfillParts,
  ) {}

  /** Resolves when a running backfill of this queue has ended, with or without success. */
  async of(queue: Queue): Promise<void> {
    await this.underWay.get(queue)?.catch(() => {})
  }

  /** Afterwards a queue in state `live` is complete; any other was evicted, or taken over by another worker meanwhile. */
  async fill(claimed: readonly Claimed[]): Promise<void> {
    if (claimed.length === 0) return
    const backfill = this._fill(claimed)
    for (const { queue } of claimed) this.underWay.set(queue, backfill)
    try {
      await backfill
    } catch (error) {
      // This worker owns the queues in Redis but does not know their contents; the next consumer claims its queue again.
      for (const { queue } of claimed) if (queue.state === 'loading') this.parts.queues.remove(queue, 'moved')
      throw error
    } finally {
      for (const { queue } of claimed) this.underWay.delete(queue)
    }
  }

  private async _fill(claimed: readonly Claimed[]): Promise<void> {
    const lowest = claimed.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const highest = claimed.reduce((most, { upto }) => Math.max(most, upto), 0)
    const slice = new TimeSlice()
    const takers = new Takers(claimed)
    if (lowest >= this.parts.cache.start) await takers.offerAll([...this.parts.cache.between(lowest, highest)], slice)
    else await this.fromFeed(claimed, takers, { lowest, highest, slice })
    for (const one of claimed) {
      this.finish(one)
      if (slice.isUsedUp()) await slice.next()
    }
  }

  private async fromFeed(
    claimed: readonly Claimed[],
    takers: Takers,
    { lowest, highest, slice }: { readonly lowest: number; readonly highest: number; readonly slice: TimeSlice },
  ): Promise<void> {
    const rising = [...claimed].sort((a, b) => a.from - b.from)
    let next = 0
    for await (const entries of this.parts.feed.pages(lowest, highest)) {
      for (const entry of entries) {
        // The `previous` of the first entry after `from` shows whether entries in between were trimmed.
        for (; next < rising.length && (rising[next] as Claimed).from < entry.id; next++) {
          const one = rising[next] as Claimed
          // I1: a queue whose part of the feed was trimmed is evicted; its client registers again.
          one.isLost = entry.previous > one.from
        }
      }
      await takers.offerAll(entries, slice)
    }
  }

  private finish({ queue, references, from, upto, found, isLost }: Claimed): void {
    if (queue.state !== 'loading') return
    if (isLost) {
      this.parts.eviction.evict(queue, 'fell behind the feed')
      return
    }
    // References above `upto` reach the queue through the tail; those received so far are already at its end.
    const known = references.filter(id => id > queue.acked && id <= upto)
    const live = queue.idsAfter(0)
    const ids = [...known, ...found, ...live].filter(id => id > queue.acked)
    // References that were logged recently stay in memory: a failover of Redis can lose them. Ids are in µs, outboxKeepMs in ms.
    const safe = from - this.deps.timing.outboxKeepMs * 1000
    queue.backfilled(isRising(ids) ? ids : [...new Set(ids)].sort((a, b) => a - b), safe)
    this.parts.queues.markDirty(queue)
    if (queue.length > this.deps.config.queueMaxEvents) this.parts.eviction.evict(queue, 'too many unread events')
  }
}

/** The claimed queues by user: most entries have a small audience, so a lookup by user replaces a test of each queue and entry. */
class Takers {
  private readonly byUser = new Map<number, Claimed[]>()
  private readonly allPublic: Claimed[] = []

  constructor(claimed: readonly Claimed[]) {
    for (const one of claimed) {
      const own = this.byUser.get(one.queue.userId)
      if (own) own.push(one)
      else this.byUser.set(one.queue.userId, [one])
      if (one.queue.options.allPublicStreams) this.allPublic.push(one)
    }
  }

  async offerAll(entries: readonly Entry[], slice: TimeSlice): Promise<void> {
    for (const entry of entries) {
      if (entry.def === undefined || entry.name.startsWith('_')) continue
      this.offer(entry)
      if (slice.isUsedUp()) await slice.next()
    }
  }

  private offer(entry: Entry): void {
    const { audience, publicReaders } = entry
    // I2: only queues whose users are in the audience are considered.
    if (audience.size <= this.byUser.size) {
      for (const userId of audience.ids()) for (const one of this.byUser.get(userId) ?? none) offer(one, entry)
    } else {
      for (const [userId, own] of this.byUser) if (audience.has(userId)) for (const one of own) offer(one, entry)
    }
    if (publicReaders.size === 0) return
    for (const one of this.allPublic) {
      const { userId } = one.queue
      if (publicReaders.has(userId) && !audience.has(userId)) offer(one, entry)
    }
  }
}

const none: readonly Claimed[] = []

function offer({ queue, from, upto, found }: Claimed, entry: Entry): void {
  if (entry.id > from && entry.id <= upto && queue.accepts(entry)) found.push(entry.id)
}

const isRising = (ids: readonly number[]) => ids.every((id, i) => i === 0 || id > (ids[i - 1] as number))
