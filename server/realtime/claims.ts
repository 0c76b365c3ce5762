import { setImmediate as later } from 'node:timers/promises'
import type { Entry } from './entry.js'
import type { Feed } from './feed.js'
import type { Parts } from './parts.js'
import { Queue } from './queue.js'
import { renewalAfter } from './queue-log.js'
import type { ClaimedLog, QueueMeta, QueueStore } from './queue-store.js'
import type { Queues } from './queues.js'
import type { Recent } from './recent.js'
import { ShownTransactions } from './snapshot.js'
import type { Views } from './views.js'

/** A queue that is ours now, before we know what is in it. */
interface Claimed {
  readonly queue: Queue
  readonly refs: readonly number[]
  /** Its log is complete up to here; from here on the feed tells. */
  readonly from: number
  /** From here on it got entries live. */
  readonly upto: number
  readonly found: number[]
  isLost: boolean
}

// Claims race with the owner's death, adoption and other readers; each of those happens once or twice.
const tries = 8
// So many questions whether an entry is for a queue take some ten milliseconds.
const checksPerTurn = 100_000
const adoptedAtOnce = 200

/** Takes queues over from other workers. */
export class Claims {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #store: QueueStore
  readonly #feed: Feed
  readonly #recent: Recent
  readonly #views: Views
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #underWay = new Map<string, { userId: number; claim: Promise<Queue | null> }>()
  #waiting: Claimed[] = []
  #reading: Promise<void> | null = null

  constructor(
    parts: Parts,
    queues: Queues,
    store: QueueStore,
    feed: Feed,
    recent: Recent,
    views: Views,
    lose: (queue: Queue, error: Error) => void,
  ) {
    this.#parts = parts
    this.#queues = queues
    this.#store = store
    this.#feed = feed
    this.#recent = recent
    this.#views = views
    this.#lose = lose
  }

  /** For a reader that has come here; null when the user has no such queue. */
  take(queueId: string, userId: number): Promise<Queue | null> {
    const before = this.#underWay.get(queueId)
    if (before?.userId === userId) return before.claim
    // Another user's question must not decide ours.
    const again = () => this.take(queueId, userId)
    if (before) return before.claim.then(again, again)
    const claim = this.#take(queueId, userId).finally(() => this.#underWay.delete(queueId))
    this.#underWay.set(queueId, { userId, claim })
    return claim
  }

  async #take(queueId: string, userId: number): Promise<Queue | null> {
    for (let i = 0; i < tries; i++) {
      const meta = await this.#store.meta(queueId)
      if (!meta || meta.options.userId !== userId) return null
      const checkpoint = await this.#checkpointOf(meta.owner)
      await this.#store.remember([queueId])
      const claimed = await this.#claim(queueId, meta, checkpoint, 'reader')
      if (!claimed) continue
      this.#tellOwner(meta.owner, claimed.queue)
      await this.#load([claimed])
      // Otherwise it was lost, or somebody else was quicker: Redis knows.
      if (claimed.queue.state === 'live') return claimed.queue
    }
    throw new Error(`the queue ${queueId} changes hands too often`)
  }

  /** Takes queues over that nobody serves; gives how many. */
  async adopt(queueIds: readonly string[], owner: string): Promise<number> {
    const checkpoint = await this.#checkpointOf(owner)
    const all: Claimed[] = []
    for (let i = 0; i < queueIds.length; i += adoptedAtOnce) {
      const ids = queueIds.slice(i, i + adoptedAtOnce)
      await this.#store.remember(ids)
      const claims = await Promise.allSettled(ids.map(id => this.#adoptOne(id, owner, checkpoint)))
      for (const claim of claims) {
        if (claim.status === 'fulfilled' && claim.value) all.push(claim.value)
      }
      const failed = claims.find(claim => claim.status === 'rejected')
      if (failed) {
        await this.#load(all)
        throw (failed as PromiseRejectedResult).reason
      }
    }
    await this.#load(all)
    return all.length
  }

  async #adoptOne(queueId: string, owner: string, checkpoint: number): Promise<Claimed | null> {
    const meta = await this.#store.meta(queueId)
    // Readers took it elsewhere meanwhile, or it has run out.
    if (!meta || meta.owner !== owner || this.#underWay.has(queueId)) return null
    return this.#claim(queueId, meta, checkpoint, 'adopted')
  }

  async #checkpointOf(owner: string): Promise<number> {
    const { redis, keys } = this.#parts
    return Number(await redis.command('HGET', keys.checkpoints, owner))
  }

  async #claim(
    queueId: string,
    meta: QueueMeta,
    checkpoint: number,
    by: 'reader' | 'adopted',
  ): Promise<Claimed | null> {
    // The checkpoint was read under the epoch that the claim compares: what it promises, this queue's log holds.
    const from = meta.isSettled ? Math.max(meta.upto, checkpoint) : meta.upto
    const log = await this.#store.claim(queueId, meta, from, by)
    return log && this.#insert(queueId, meta, log, from)
  }

  /** From here on the queue takes part in what the tail reads. */
  #insert(queueId: string, meta: QueueMeta, log: ClaimedLog, from: number): Claimed {
    const now = this.#parts.clock.now()
    const upto = Math.max(this.#recent.newest, from)
    const view = this.#views.take(meta.options.view)
    const queue = new Queue(queueId, meta.options, view, log.epoch, 'loading', upto, meta.born)
    queue.acked = log.acked
    queue.issued = log.issued
    queue.issuedElsewhere = upto
    queue.logged = from
    queue.hasLog = log.refs.length > 0
    queue.mustSettle = true
    queue.shown = meta.snapshot === null ? null : new ShownTransactions(meta.snapshot)
    queue.idleSince = log.idle || now
    queue.renewAt = renewalAfter(now, queue)
    const older = this.#queues.byId.get(queueId)
    if (older) this.#queues.remove(older, 'moved')
    this.#queues.add(queue)
    return { queue, refs: log.refs, from, upto, found: [], isLost: false }
  }

  #tellOwner(owner: string, { id: queue, epoch }: Queue): void {
    const { redis, keys, worker } = this.#parts
    if (owner === '' || owner === worker) return
    // Only politeness: the epoch is what counts.
    redis.command('PUBLISH', keys.channel(owner), JSON.stringify({ queue, epoch })).catch(() => {})
    redis.command('SREM', keys.queuesOf(owner), queue).catch(() => {})
  }

  /** Fills queues from log and feed. One reading is under way, the next is for all that have come meanwhile. */
  async #load(claimed: readonly Claimed[]): Promise<void> {
    if (claimed.length === 0) return
    this.#waiting.push(...claimed)
    try {
      while (claimed.some(one => one.queue.state === 'loading')) {
        if (!this.#reading && !this.#waiting.some(one => claimed.includes(one))) throw new Error('a reading failed')
        this.#reading ??= this.#read().finally(() => {
          this.#reading = null
        })
        await this.#reading
      }
    } catch (error) {
      // Ours in Redis, but we do not know what is in them: whoever wants one next claims it anew.
      for (const { queue } of claimed) if (queue.state === 'loading') this.#queues.remove(queue, 'moved')
      throw error
    }
  }

  async #read(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    const lowest = batch.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const highest = batch.reduce((most, { upto }) => Math.max(most, upto), 0)
    if (lowest >= this.#recent.start) await this.#match([...this.#recent.between(lowest, highest)], batch)
    else await this.#readFeed(batch, lowest, highest)
    for (const claimed of batch) this.#finish(claimed)
  }

  async #readFeed(batch: readonly Claimed[], lowest: number, highest: number): Promise<void> {
    const unseen = new Set(batch)
    for await (const entries of this.#feed.pages(lowest, highest)) {
      for (const entry of entries) {
        for (const claimed of unseen) {
          if (entry.id <= claimed.from) continue
          unseen.delete(claimed)
          // The first entry after `from` tells whether something in between was trimmed.
          if (entry.previous > claimed.from) claimed.isLost = true
        }
        if (unseen.size === 0) break
      }
      await this.#match(entries, batch)
    }
  }

  async #match(entries: readonly Entry[], batch: readonly Claimed[]): Promise<void> {
    let checks = 0
    for (const entry of entries) {
      if (entry.def === undefined || entry.name.startsWith('_')) continue
      for (const { queue, from, upto, found } of batch) {
        if (entry.id > from && entry.id <= upto && queue.takes(entry)) found.push(entry.id)
      }
      checks += batch.length
      if (checks < checksPerTurn) continue
      checks = 0
      await later()
    }
  }

  #finish({ queue, refs, from, upto, found, isLost }: Claimed): void {
    if (queue.state !== 'loading') return
    if (isLost) {
      this.#lose(queue, new Error('fell behind the feed'))
      return
    }
    // What the log has beyond `upto` comes live; what came live stands at the end already.
    const known = [...refs.filter(id => id > queue.acked && id <= upto), ...found]
    const live = queue.idsAfter(0, Number.POSITIVE_INFINITY)
    const ids = [...new Set([...known, ...live])].filter(id => id > queue.acked).sort((a, b) => a - b)
    queue.load(ids, from)
    queue.state = 'live'
    this.#queues.markDirty(queue)
    if (queue.length > this.#parts.config.queueMaxEvents) this.#lose(queue, new Error('too many unread events'))
  }
}
