import { setImmediate as later } from 'node:timers/promises'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache } from '../feed/index.js'
import { type OptionsPool, Queue, type QueueStore, type Queues, ShownTransactions } from '../queues/index.js'
import type { Backfill, Claimed } from './backfill.js'
import { type TakenQueue, Takeover, type Taker } from './takeover.js'
import type { WorkerMessages } from './worker-messages.js'

interface Asked {
  readonly queueId: string
  readonly userId: number
  readonly resolve: (queue: Queue | null) => void
  readonly reject: (error: unknown) => void
}

// A claim races with the owner's death, with adoption and with other consumers; each of these happens once or twice.
const tries = 8
// Queues per call of the Function; one call blocks Redis for about 1 ms.
const takenTogether = 128
// Queues per backfill; a backfill reads the feed once for all its queues.
const filledTogether = 1024

interface ClaimsParts {
  readonly queues: Queues
  readonly store: QueueStore
  readonly backfill: Backfill
  readonly cache: EntryCache
  readonly pool: OptionsPool
  readonly messages: WorkerMessages
}

/**
 * Takes queues over from other workers, in batches: when a worker dies, thousands of its clients reconnect and claim their
 * queues at the same time.
 */
export class Claims {
  private readonly takeover: Takeover
  private readonly underWay = new Map<string, { userId: number; claim: Promise<Queue | null> }>()
  private asked: Asked[] = []
  private isTaking = false

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: ClaimsParts,
  ) {
    this.takeover = new Takeover(deps, parts.store, id => parts.queues.byId.has(id))
  }

  /** Claims a queue for a consumer of this worker; resolves with null if the user has no such queue. */
  take(queueId: string, userId: number): Promise<Queue | null> {
    const before = this.underWay.get(queueId)
    if (before?.userId === userId) return before.claim
    // A claim by another user has another result, so this claim runs after it.
    const again = () => this.take(queueId, userId)
    if (before) return before.claim.then(again, again)
    const claim = this._take(queueId, userId).finally(() => this.underWay.delete(queueId))
    this.underWay.set(queueId, { userId, claim })
    return claim
  }

  private async _take(queueId: string, userId: number): Promise<Queue | null> {
    for (let i = 0; i < tries; i++) {
      const own = this.parts.queues.byId.get(queueId)
      // The queue is being adopted: wait for its backfill.
      if (own?.state === 'loading' && own.userId === userId) await this.parts.backfill.of(own)
      // I6: this worker takes over a queue of another worker when a client asks this worker for it.
      if (own?.state === 'live' && own.userId === userId) return own
      const queue = await this.ask(queueId, userId)
      // Otherwise the queue was evicted or another worker took it over meanwhile: the next attempt reads its state from Redis.
      if (queue === null || queue.state === 'live') return queue
    }
    throw new Error(`the queue ${queueId} changes hands too often`)
  }

  /** Adds the claim to the next batch: one batch runs at a time, and claims that arrive meanwhile form the next one. */
  private ask(queueId: string, userId: number): Promise<Queue | null> {
    return new Promise((resolve, reject) => {
      this.asked.push({ queueId, userId, resolve, reject })
      if (!this.isTaking) void this.answer()
    })
  }

  private async answer(): Promise<void> {
    this.isTaking = true
    // Claims of the same turn of the event loop join the first batch.
    await later()
    while (this.asked.length > 0) {
      const batch = this.asked.splice(0, filledTogether)
      const claimed = new Map<Asked, Claimed>()
      for (const some of chunksOf(batch)) {
        try {
          const ids = some.map(({ queueId }) => queueId)
          const found = await this.claim(ids, { by: 'consumer', userIds: some.map(({ userId }) => userId) })
          some.forEach((asked, i) => {
            const one = found[i]
            if (one) claimed.set(asked, one)
            else asked.resolve(null)
          })
        } catch (error) {
          for (const { reject } of some) reject(error)
        }
      }
      try {
        await this.parts.backfill.fill([...claimed.values()])
        for (const [{ resolve }, { queue }] of claimed) resolve(queue)
      } catch (error) {
        for (const { reject } of claimed.keys()) reject(error)
      }
    }
    this.isTaking = false
  }

  /** Adopts queues of the dead worker `owner`; returns how many. */
  async adopt(queueIds: readonly string[], owner: string): Promise<number> {
    let count = 0
    for (let i = 0; i < queueIds.length; i += filledTogether) {
      const all: Claimed[] = []
      try {
        for (const some of chunksOf(queueIds.slice(i, i + filledTogether))) {
          // Null: another worker took the queue over meanwhile, or it has expired.
          const free = some.filter(id => !this.underWay.has(id))
          if (free.length === 0) continue
          for (const one of await this.claim(free, { by: 'adopted', owner })) if (one) all.push(one)
        }
      } finally {
        await this.parts.backfill.fill(all)
      }
      count += all.length
    }
    return count
  }

  private async claim(queueIds: readonly string[], taker: Taker): Promise<(Claimed | null)[]> {
    const taken = await this.takeover.take(queueIds, taker)
    const claimed = taken.map((one, i) => one && this.insert(queueIds[i] as string, one))
    if (taker.by === 'consumer') await this.notifyOwners(queueIds, taken)
    return claimed
  }

  /** Inserts the queue in state `loading`; from now on it also receives the entries that the tail reads. */
  private insert(queueId: string, { userId, epoch, from, acked, issued, facts, references }: TakenQueue): Claimed {
    this.deps.counts.takenOver++
    const now = this.deps.clock.now()
    const upto = Math.max(this.parts.cache.newest, from)
    const shown = facts.snapshot === null ? null : new ShownTransactions(facts.snapshot)
    const state = {
      epoch,
      born: facts.born,
      acked,
      issued,
      shown,
      loggedUpto: from,
      hasLog: references.length > 0,
      from: upto,
    }
    const queue = Queue.takenOver(queueId, userId, this.parts.pool.takePacked(facts.options), { taken: state, now })
    const older = this.parts.queues.byId.get(queueId)
    if (older) this.parts.queues.remove(older, 'moved')
    this.parts.queues.add(queue)
    return { queue, references, from, upto, found: [], isLost: false }
  }

  /**
   * Notifies the former owners. Correctness rests on the epoch alone; the notification is awaited so that a former owner has
   * usually removed its copy of the queue before a client returns to it.
   */
  private async notifyOwners(queueIds: readonly string[], taken: readonly (TakenQueue | null)[]): Promise<void> {
    const lost = new Map<string, [queueId: string, epoch: number][]>()
    taken.forEach((one, i) => {
      // Without an owner: see `Realtime.registerAfter`.
      if (!one || one.formerOwner === this.deps.worker || one.formerOwner === '') return
      const list = lost.get(one.formerOwner) ?? []
      lost.set(one.formerOwner, list)
      list.push([queueIds[i] as string, one.epoch])
    })
    const notified = [...lost].flatMap(([owner, queues]) => [
      this.parts.messages.send(owner, { taken: queues }),
      this.parts.store.forget(
        queues.map(([id]) => id),
        owner,
      ),
    ])
    await Promise.allSettled(notified)
  }
}

function* chunksOf<Item>(all: readonly Item[]): Generator<Item[]> {
  for (let i = 0; i < all.length; i += takenTogether) yield all.slice(i, i + takenTogether)
}
