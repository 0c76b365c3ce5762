import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { type EntryCache, isFeedId, type RestartDetection } from '../feed/index.js'
import { Signal } from '../signal.js'
import type { Eviction } from './eviction.js'
import type { LogDebt } from './log-progress.js'
import type { AppendOutcome, AppendRow, LogStore } from './log-store.js'
import type { Queue } from './queue.js'
import type { QueueStore } from './queue-store.js'
import type { Queues } from './queues.js'

interface QueueLogParts {
  readonly queues: Queues
  readonly store: QueueStore
  readonly logs: LogStore
  readonly restarts: RestartDetection
  readonly cache: EntryCache
  readonly eviction: Eviction
}

/**
 * Writes the queue logs some seconds late: references that clients have not acknowledged by then. After each write the worker's
 * checkpoint names the entry id up to which all its queue logs are complete; a worker that takes over a queue reads the feed from there.
 */
export class QueueLog {
  /** Redis does not know this worker or one of its queues: it lost data, or the lease expired and other workers adopted the queues. */
  readonly keysMissing = new Signal()
  /** New queues that are being written to Redis, and the entry id up to which that write contains their references. */
  private readonly creating = new Map<Queue, number>()
  private target: number
  private _checkpoint: number
  /** Checkpoints that Redis can still lose, with their times; the references that they cover may have to be logged again. */
  private unsafe: { at: number; upto: number }[] = []
  private safe: number
  private flushing: Promise<void> | null = null
  private mayRevive = false

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: QueueLogParts,
  ) {
    parts.restarts.logsShaken.on(() => this.recheck())
    this.target = this._checkpoint = this.safe = parts.cache.newest
  }

  get checkpoint(): number {
    return this._checkpoint
  }

  /** Stores a new queue in Redis with the references collected since its registration; it then is live, unless it ended meanwhile. */
  async create(queue: Queue): Promise<boolean> {
    const upto = this.parts.cache.newest
    this.creating.set(queue, upto)
    try {
      const isNew = await this.parts.store.create(queue, feedIds(queue, 0, upto), upto)
      // Not in a later turn of the event loop: each checkpoint written from now on covers this queue, too.
      if (queue.state !== 'gone') queue.stored(upto, this.deps.clock.now())
      return isNew
    } finally {
      this.creating.delete(queue)
    }
  }

  /** Logs references that stayed unacknowledged since the previous flush. `everything`: also logs the newest ones. */
  flush(everything = false): Promise<void> {
    this.flushing ??= this._flush(everything).finally(() => {
      this.flushing = null
    })
    return this.flushing
  }

  /** Redis may have lost whole queues or the ends of their logs: write all queues again, as far as memory holds them. */
  recheck(): void {
    this.mayRevive = true
    for (const queue of this.parts.queues.byId.values()) {
      if (queue.state === 'live') this.relog(queue)
    }
    // At once, not at the next interval: until then only this worker's memory holds what Redis lost.
    void this.flush()
  }

  /** Writes to the log of every queue; the outcome shows which queues another worker owns by now, and those are removed. */
  verify(): void {
    for (const queue of this.parts.queues.byId.values()) {
      if (queue.state !== 'live') continue
      queue.log.require()
      this.parts.queues.markDirty(queue)
    }
    void this.flush()
  }

  /** Marks the queue so that the part of its log that Redis may have lost is written again. */
  private relog(queue: Queue): void {
    queue.log.requireAgain(this.safe)
    this.parts.queues.markDirty(queue)
  }

  private async _flush(everything: boolean): Promise<void> {
    const { redis, keys, worker, clock, timing } = this.deps
    try {
      await this.parts.restarts.ready()
    } catch {
      return
    }
    const target = Math.min(everything ? this.parts.cache.newest : this.target, ...this.creating.values())
    this.target = this.parts.cache.newest
    const taken = this.parts.queues.takeDirty().filter(queue => queue.state !== 'gone')
    const mayRevive = this.mayRevive
    this.mayRevive = false
    try {
      const rows = taken.flatMap(queue => this.row(queue, target) ?? [])
      // Queues without a row have no unlogged reference up to `target`, so their logs are complete, too.
      if (rows.length > 0) await this.append(rows, mayRevive)
      if (target > this._checkpoint || everything) {
        // I1: the checkpoint follows the logs, so that every log is complete up to it.
        const isLost = await redis.command('HSET', keys.checkpoints, worker, target)
        this._checkpoint = Math.max(target, this._checkpoint)
        this.unsafe.push({ at: clock.now(), upto: target })
        if (isLost === 1) this.keysMissing.emit()
      }
      while (this.unsafe[0] && this.unsafe[0].at <= clock.now() - timing.outboxKeepMs) {
        this.safe = this.unsafe.shift()?.upto ?? this.safe
      }
    } catch (error) {
      for (const queue of taken) this.parts.queues.markDirty(queue)
      this.mayRevive ||= mayRevive
      logFailure(this.deps, error, 'queue logs could not be written: retrying at the next flush')
    }
  }

  /** The references of this queue to log now; null: none. Marks the queue dirty if a later flush has to log more. */
  private row(queue: Queue, target: number): AppendRow | null {
    if (queue.state !== 'live') {
      this.parts.queues.markDirty(queue)
      return null
    }
    if (queue.last > target) this.parts.queues.markDirty(queue)
    const references = feedIds(queue, Math.max(queue.log.upto, queue.acked), target)
    // A log whose references are all acknowledged is deleted once; a queue that never had a log costs nothing.
    if (references.length === 0 && queue.log.debt === 'nothing' && !queue.isLogObsolete) {
      queue.log.completeUpto(target)
      return null
    }
    return { queue, references, upto: Math.max(target, queue.log.upto), again: queue.log.debt === 'repeat' }
  }

  private async append(rows: readonly AppendRow[], mayRevive: boolean): Promise<void> {
    const { clock } = this.deps
    // References that are acknowledged during the call are removed by a later flush.
    const debts = rows.map(({ queue }) => queue.log.start())
    let outcomes: Map<Queue, AppendOutcome>
    try {
      outcomes = await this.parts.logs.append(rows)
      this.deps.counts.logWrites += rows.length
    } catch (error) {
      rows.forEach(({ queue }, i) => {
        queue.log.failed(debts[i] as LogDebt)
      })
      throw error
    }
    // This worker's list of queues may lack the queue: a former owner removed it there, or Redis lost the list.
    const ours = rows
      .filter(({ queue }, i) => debts[i] !== 'nothing' && outcomes.get(queue) === 'ok')
      .map(({ queue }) => queue.id)
    if (ours.length > 0) await this.parts.store.remember(ours)
    for (const { queue, references, upto } of rows) {
      if (queue.state === 'gone') continue
      switch (outcomes.get(queue)) {
        case 'ok':
          queue.log.written(
            upto,
            references.length > 0 || (queue.log.exists && !queue.isEmpty),
            clock.now() + queue.options.renewAfterMs,
          )
          // The client acknowledged everything during the call, before the queue was known to have a log.
          if (queue.isLogObsolete) this.parts.queues.markDirty(queue)
          queue.spill(Math.min(this.safe, upto))
          break
        case 'shaken':
          this.relog(queue)
          break
        case 'lost':
          await this.lost(queue, mayRevive)
          break
        case 'moved':
          this.parts.queues.remove(queue, 'moved')
          break
        default:
          this.parts.queues.remove(queue, 'replaced')
      }
    }
  }

  /** Whether Redis holds this worker's checkpoint; it does not after a loss of data, or after others treated the worker as dead. */
  private async isKnown(): Promise<boolean> {
    const { redis, keys, worker } = this.deps
    return (await redis.command('HEXISTS', keys.checkpoints, worker)) === 1
  }

  /** The queue's keys are missing. After a loss of data the queue is stored again if memory holds all of it; else it was deleted. */
  private async lost(queue: Queue, mayRevive: boolean): Promise<void> {
    const isWhole = queue.spilledUpto === 0 && (queue.firstInFeed === 0 || queue.firstInFeed > this.parts.cache.start)
    if (!mayRevive && !this.mayRevive) {
      if (await this.isKnown()) {
        this.parts.eviction.evict(queue, 'deleted elsewhere')
        return
      }
      // This queue is the first sign that Redis lost data: retry with the next flush, after the check for lost data.
      queue.log.require()
      this.parts.queues.markDirty(queue)
      this.keysMissing.emit()
    } else if (!isWhole) {
      this.parts.eviction.evict(queue, 'lost by Redis')
    } else if (await this.create(queue)) {
      this.deps.log.warn({ queue: queue.id }, 'restored a queue that Redis had lost')
    } else {
      queue.log.require()
      this.parts.queues.markDirty(queue)
    }
  }
}

function feedIds(queue: Queue, after: number, upto: number): number[] {
  return queue.idsAfter(after).filter(id => id <= upto && isFeedId(id))
}
