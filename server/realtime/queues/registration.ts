import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache, Feed } from '../feed/index.js'
import type { QueueOptions, Snapshot } from '../realtime.js'
import { Queue } from './queue.js'
import type { QueueLog } from './queue-log.js'
import type { OptionsPool } from './queue-options.js'
import type { QueueStore } from './queue-store.js'
import { type Queues, revoked } from './queues.js'
import { ShownTransactions } from './shown-transactions.js'

// A queue of this user may be evicted by then.
const retryAfterSeconds = 60

interface RegistrationParts {
  readonly queues: Queues
  readonly pool: OptionsPool
  readonly store: Pick<QueueStore, 'discard'>
  readonly log: Pick<QueueLog, 'create'>
  readonly feed: Pick<Feed, 'transactions'>
  readonly cache: Pick<EntryCache, 'newest' | 'get'>
}

/**
 * Creates queues: first in memory, where they receive entries at once, then, after the state was read, in Redis. The engine can
 * evict the queue while the registration waits, so the queue's state is checked after each wait.
 */
export class Registration {
  constructor(
    private readonly deps: Pick<EngineDeps, 'config' | 'clock' | 'counts' | 'log'>,
    private readonly parts: RegistrationParts,
  ) {}

  /** See `Realtime.register`. */
  async register<State extends { readonly snapshot: Snapshot | null }>(
    options: QueueOptions,
    read: () => Promise<State>,
  ): Promise<{ queueId: string; state: State }> {
    const { clock, counts, log } = this.deps
    const latest = clock.now() + budgets.registerRestartMs.most
    for (let attempt = 1; attempt <= budgets.registerAttempts.most && clock.now() <= latest; attempt++) {
      const queue = this.add(options)
      try {
        const state = await read()
        if (await this.complete(queue, state.snapshot)) {
          counts.registered++
          return { queueId: queue.id, state }
        }
      } finally {
        if (queue.state !== 'live') this.parts.queues.remove(queue, 'gone')
      }
      if (queue.ending === 'revoked') throw revoked()
      log.info({ queue: queue.id, user: queue.userId, attempt }, 'a new queue missed events: registering another one')
    }
    throw new ApiError('SERVER_NOT_READY', 'Too many events arrive for a new event queue; try again.')
  }

  private add(options: QueueOptions): Queue {
    this.parts.queues.requireOpen()
    this.requireRoom(options.userId)
    const shared = this.parts.pool.take(options)
    const queue = Queue.registered(randomUUID(), options.userId, shared, {
      newest: this.parts.cache.newest,
      now: this.deps.clock.now(),
    })
    this.parts.queues.add(queue)
    return queue
  }

  /** Makes the queue live with all events that the snapshot does not show. False: that failed, and Redis holds no key of it. */
  private async complete(queue: Queue, snapshot: Snapshot | null): Promise<boolean> {
    if (queue.state === 'gone') return false
    if (snapshot !== null && !(await this.removeShown(queue, new ShownTransactions(snapshot)))) return false
    queue.restartIdleTimeout(this.deps.clock.now())
    try {
      await this.parts.log.create(queue)
    } finally {
      if (queue.state !== 'live') this.parts.store.discard(queue)
    }
    return queue.state === 'live'
  }

  /**
   * Removes events of shown transactions that arrived before the snapshot was known; delivery checks later events itself. False: the
   * feed no longer holds one of the earlier events, so the queue would have a gap, or the queue was evicted meanwhile.
   */
  private async removeShown(queue: Queue, shown: ShownTransactions): Promise<boolean> {
    this.parts.queues.exclude(queue, shown)
    const before = queue.idsAfter(0)
    const xids = new Map(before.map(id => [id, this.parts.cache.get(id)?.xid]))
    const forgotten = before.filter(id => xids.get(id) === undefined)
    if (forgotten.length > 0) {
      const found = await this.parts.feed.transactions(forgotten)
      for (const [i, id] of forgotten.entries()) xids.set(id, found[i])
    }
    const keep: number[] = []
    for (const [id, xid] of xids) {
      // I1: a new queue that cannot be complete is evicted.
      if (xid === undefined) return false
      if (!shown.has(xid)) keep.push(id)
    }
    if (queue.state === 'gone') return false
    queue.keepOnly([...keep, ...queue.idsAfter(before.at(-1) ?? 0)])
    return true
  }

  /** @throws {ApiError} RATE_LIMIT_HIT if the user has as many queues on this worker as the setting allows; 0: no limit. */
  private requireRoom(userId: number): void {
    const most = this.deps.config.maxQueuesUser
    if (most === 0) return
    let count = 0
    for (let queue = this.parts.queues.firstOf(userId); queue !== null; queue = queue.next) count++
    if (count < most) return
    const text = 'You have too many event queues. Delete some, or wait until unused ones are collected.'
    throw new ApiError('RATE_LIMIT_HIT', text, { 'retry-after': retryAfterSeconds })
  }
}
