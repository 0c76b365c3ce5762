import type { Entry } from './entry.js'
import type { Feed } from './feed.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { Recent } from './recent.js'
import { TurnShare } from './turn-share.js'

/** A queue that is ours now, before we know what is in it. */
export interface Claimed {
  readonly queue: Queue
  readonly refs: readonly number[]
  /** Its log is complete up to here; from here on the feed tells. */
  readonly from: number
  /** From here on it got entries live. */
  readonly upto: number
  readonly found: number[]
  isLost: boolean
}

/** Fills queues that were taken over: from their logs, and from the feed, which is gone through once for all of them. */
export class Filling {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #feed: Feed
  readonly #recent: Recent
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #underWay = new Map<Queue, Promise<void>>()

  constructor(parts: Parts, queues: Queues, feed: Feed, recent: Recent, lose: (queue: Queue, error: Error) => void) {
    this.#parts = parts
    this.#queues = queues
    this.#feed = feed
    this.#recent = recent
    this.#lose = lose
  }

  /** Resolves when the filling of this queue, if one is under way, has come to whatever end. */
  async of(queue: Queue): Promise<void> {
    await this.#underWay.get(queue)?.catch(() => {})
  }

  /** Those that are live afterwards are whole; the others were lost, or taken from us meanwhile. */
  async fill(claimed: readonly Claimed[]): Promise<void> {
    if (claimed.length === 0) return
    const filling = this.#fill(claimed)
    for (const { queue } of claimed) this.#underWay.set(queue, filling)
    try {
      await filling
    } catch (error) {
      // Ours in Redis, but we do not know what is in them: whoever wants one next claims it anew.
      for (const { queue } of claimed) if (queue.state === 'loading') this.#queues.remove(queue, 'moved')
      throw error
    } finally {
      for (const { queue } of claimed) this.#underWay.delete(queue)
    }
  }

  async #fill(claimed: readonly Claimed[]): Promise<void> {
    const lowest = claimed.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const highest = claimed.reduce((most, { upto }) => Math.max(most, upto), 0)
    const share = new TurnShare()
    const takers = new Takers(claimed)
    if (lowest >= this.#recent.start) await takers.offerAll([...this.#recent.between(lowest, highest)], share)
    else await this.#fromFeed(claimed, takers, lowest, highest, share)
    for (const one of claimed) {
      this.#finish(one)
      if (share.isUsedUp()) await share.next()
    }
  }

  async #fromFeed(
    claimed: readonly Claimed[],
    takers: Takers,
    lowest: number,
    highest: number,
    share: TurnShare,
  ): Promise<void> {
    const rising = [...claimed].sort((a, b) => a.from - b.from)
    let next = 0
    for await (const entries of this.#feed.pages(lowest, highest)) {
      for (const entry of entries) {
        // The first entry after `from` tells whether something in between was trimmed.
        for (; next < rising.length && (rising[next] as Claimed).from < entry.id; next++) {
          const one = rising[next] as Claimed
          // I1: a queue whose part of the feed was trimmed is dropped; its client is told.
          one.isLost = entry.previous > one.from
        }
      }
      await takers.offerAll(entries, share)
    }
  }

  #finish({ queue, refs, from, upto, found, isLost }: Claimed): void {
    if (queue.state !== 'loading') return
    if (isLost) {
      this.#lose(queue, new Error('fell behind the feed'))
      return
    }
    // What the log has beyond `upto` comes live; what came live stands at the end already.
    const known = refs.filter(id => id > queue.acked && id <= upto)
    const live = queue.idsAfter(0, Number.POSITIVE_INFINITY)
    const ids = [...known, ...found, ...live].filter(id => id > queue.acked)
    // What was written a moment ago stays in memory: a failover of Redis may lose it.
    const safe = from - this.#parts.timing.outboxRest * 1000
    queue.load(isRising(ids) ? ids : [...new Set(ids)].sort((a, b) => a - b), safe)
    queue.state = 'live'
    this.#queues.markDirty(queue)
    if (queue.length > this.#parts.config.queueMaxEvents) this.#lose(queue, new Error('too many unread events'))
  }
}

/** The claimed queues by who may see an entry: few entries are for everybody, and thousands of pairs are asked about. */
class Takers {
  readonly #byUser = new Map<number, Claimed[]>()
  readonly #allPublic: Claimed[] = []

  constructor(claimed: readonly Claimed[]) {
    for (const one of claimed) {
      const own = this.#byUser.get(one.queue.userId)
      if (own) own.push(one)
      else this.#byUser.set(one.queue.userId, [one])
      if (one.queue.options.allPublicStreams) this.#allPublic.push(one)
    }
  }

  async offerAll(entries: readonly Entry[], share: TurnShare): Promise<void> {
    for (const entry of entries) {
      if (entry.def === undefined || entry.name.startsWith('_')) continue
      this.#offer(entry)
      if (share.isUsedUp()) await share.next()
    }
  }

  #offer(entry: Entry): void {
    const { audience, publicReaders } = entry
    // I2: only queues of the audience are looked at.
    if (audience.size <= this.#byUser.size) {
      for (const userId of audience.ids()) for (const one of this.#byUser.get(userId) ?? none) offer(one, entry)
    } else {
      for (const [userId, own] of this.#byUser) if (audience.has(userId)) for (const one of own) offer(one, entry)
    }
    if (publicReaders.size === 0) return
    for (const one of this.#allPublic) {
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
