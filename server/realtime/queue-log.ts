import { logFailure } from '../log-failure.js'
import { isFeedId } from './ids.js'
import type { AppendOutcome, AppendRow, LogStore } from './log-store.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import { type QueueStore, secondsToLive } from './queue-store.js'
import type { Queues } from './queues.js'
import type { Recent } from './recent.js'
import type { RedisProcesses } from './redis-processes.js'

/**
 * Writes behind, turn by turn, what clients have not acknowledged. After each turn the worker's checkpoint says up to which
 * feed id the logs of all its queues are complete: who takes over its queues reads the feed from there.
 */
export class QueueLog {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #store: QueueStore
  readonly #logs: LogStore
  readonly #recent: Recent
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #ready: () => Promise<unknown>
  readonly #onLoss: () => void
  /** New queues on their way to Redis, and up to which id they take their entries there with them. */
  readonly #creating = new Map<Queue, number>()
  #target: number
  #checkpoint: number
  /** Checkpoints that Redis may still lose, with their times: what they cover may have to be logged again. */
  #unsafe: { at: number; upto: number }[] = []
  #safe: number
  #flushing: Promise<void> | null = null
  #mayRevive = false

  constructor(
    parts: Parts,
    queues: Queues,
    store: QueueStore,
    logs: LogStore,
    processes: RedisProcesses,
    recent: Recent,
    lose: (queue: Queue, error: Error) => void,
    ready: () => Promise<unknown>,
    onLoss: () => void,
  ) {
    this.#parts = parts
    this.#queues = queues
    this.#store = store
    this.#logs = logs
    this.#recent = recent
    this.#lose = lose
    this.#ready = ready
    this.#onLoss = onLoss
    processes.onNew = () => this.recheck()
    this.#target = this.#checkpoint = this.#safe = recent.newest
  }

  get checkpoint(): number {
    return this.#checkpoint
  }

  /** Persists a new queue with what it has collected since it was registered; unless it was dropped meanwhile it is live then. */
  async create(queue: Queue): Promise<boolean> {
    const upto = this.#recent.newest
    this.#creating.set(queue, upto)
    try {
      const isNew = await this.#store.create(queue, feedIds(queue, 0, upto), upto)
      queue.logged = upto
      if (!queue.isEmpty) queue.hasLog = true
      // Here, not in a later turn: a checkpoint that is written from now on speaks for this queue, too.
      if (queue.state === 'new') queue.state = 'live'
      return isNew
    } finally {
      this.#creating.delete(queue)
    }
  }

  /** One turn: logs what has not been acknowledged for a turn. `everything`: also what came just now. */
  flush(everything = false): Promise<void> {
    this.#flushing ??= this.#flush(everything).finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  /** Redis may have lost the newest part of our logs, or whole queues: all are written again as far as memory has them. */
  recheck(): void {
    this.#mayRevive = true
    for (const queue of this.#queues.byId.values()) {
      if (queue.state === 'live') this.#relog(queue)
    }
    // Not only at the next turn: until then nothing but our memory has what Redis lost.
    void this.flush()
  }

  /** Writes to every queue, which ends those that another worker owns by now. */
  verify(): void {
    for (const queue of this.#queues.byId.values()) {
      if (queue.state !== 'live') continue
      queue.mustSettle = true
      this.#queues.markDirty(queue)
    }
    void this.flush()
  }

  /** What Redis may have lost of its log goes there again. */
  #relog(queue: Queue): void {
    queue.logged = Math.min(queue.logged, this.#safe)
    queue.mustSettle = queue.mustRelog = true
    this.#queues.markDirty(queue)
  }

  async #flush(everything: boolean): Promise<void> {
    const { redis, keys, worker, clock, timing } = this.#parts
    try {
      await this.#ready()
    } catch {
      return
    }
    const target = Math.min(everything ? this.#recent.newest : this.#target, ...this.#creating.values())
    this.#target = this.#recent.newest
    const taken = this.#queues.takeDirty().filter(queue => queue.state !== 'gone')
    const mayRevive = this.#mayRevive
    this.#mayRevive = false
    try {
      const rows = taken.flatMap(queue => this.#row(queue, target) ?? [])
      // Even the logs that need nothing are complete up to here: nothing in them waits.
      if (rows.length > 0) await this.#append(rows, mayRevive)
      if (target > this.#checkpoint || everything) {
        // I1: the checkpoint follows the logs, so that every log is complete up to it.
        const isLost = await redis.command('HSET', keys.checkpoints, worker, target)
        this.#checkpoint = Math.max(target, this.#checkpoint)
        this.#unsafe.push({ at: clock.now(), upto: target })
        if (isLost === 1) this.#onLoss()
      }
      while (this.#unsafe[0] && this.#unsafe[0].at <= clock.now() - timing.outboxRest) {
        this.#safe = this.#unsafe.shift()?.upto ?? this.#safe
      }
    } catch (error) {
      for (const queue of taken) this.#queues.markDirty(queue)
      this.#mayRevive ||= mayRevive
      logFailure(this.#parts, error, 'the logs could not be written: next turn')
    }
  }

  /** What of this queue goes to its log now, if anything. Marks it again when more has to go later. */
  #row(queue: Queue, target: number): AppendRow | null {
    if (queue.state !== 'live') {
      this.#queues.markDirty(queue)
      return null
    }
    if (queue.last > target) this.#queues.markDirty(queue)
    const refs = feedIds(queue, Math.max(queue.logged, queue.acked), target)
    // A log that is acknowledged as a whole is cut once; a queue that never had one costs nothing.
    const canCut = queue.hasLog && queue.isEmpty
    if (refs.length === 0 && !queue.mustSettle && !canCut) {
      queue.logged = Math.max(queue.logged, target)
      return null
    }
    return { queue, refs, upto: Math.max(target, queue.logged), again: queue.mustRelog }
  }

  async #append(rows: readonly AppendRow[], mayRevive: boolean): Promise<void> {
    const { clock } = this.#parts
    // What is acknowledged while the call is under way is cut next time.
    const settled = rows.map(({ queue }) => queue.mustSettle)
    for (const { queue } of rows) queue.mustSettle = queue.mustRelog = false
    let outcomes: Map<Queue, AppendOutcome>
    try {
      outcomes = await this.#logs.append(rows)
      this.#parts.counts.logWrites += rows.length
    } catch (error) {
      rows.forEach(({ queue, again }, i) => {
        queue.mustSettle ||= settled[i] === true
        queue.mustRelog ||= again
      })
      throw error
    }
    // The former owner may have struck it off our list when it was ours once before; Redis may have lost the list.
    const ours = rows.filter(({ queue }, i) => settled[i] && outcomes.get(queue) === 'ok').map(({ queue }) => queue.id)
    if (ours.length > 0) await this.#store.remember(ours)
    for (const { queue, refs, upto } of rows) {
      if (queue.state === 'gone') continue
      switch (outcomes.get(queue)) {
        case 'ok':
          // Unless that has to be done again meanwhile.
          if (!queue.mustRelog) queue.logged = upto
          queue.hasLog = refs.length > 0 || (queue.hasLog && !queue.isEmpty)
          // Acknowledged while this was under way: then there was no log yet that could be cut.
          if (queue.hasLog && queue.isEmpty) this.#queues.markDirty(queue)
          queue.renewAt = renewalAfter(clock.now(), queue)
          queue.spill(Math.min(this.#safe, upto))
          break
        case 'shaken':
          this.#relog(queue)
          break
        case 'lost':
          await this.#lost(queue, mayRevive)
          break
        case 'moved':
          this.#queues.remove(queue, 'moved')
          break
        default:
          this.#queues.remove(queue, 'replaced')
      }
    }
  }

  /** Whether Redis knows of this worker: it forgets us only when it loses its data, or when we were taken for dead. */
  async #isKnown(): Promise<boolean> {
    const { redis, keys, worker } = this.#parts
    return (await redis.command('HEXISTS', keys.checkpoints, worker)) === 1
  }

  /** Its keys are gone. After a loss of data we write it anew, if memory has all of it; otherwise somebody deleted it. */
  async #lost(queue: Queue, mayRevive: boolean): Promise<void> {
    const isWhole = queue.spilledUpto === 0 && (queue.firstInFeed === 0 || queue.firstInFeed > this.#recent.start)
    if (!mayRevive && !this.#mayRevive) {
      if (await this.#isKnown()) {
        this.#lose(queue, new Error('deleted elsewhere'))
        return
      }
      // We are the first to see that Redis lost its data: next turn, when that has been looked into.
      queue.mustSettle = true
      this.#queues.markDirty(queue)
      this.#onLoss()
    } else if (!isWhole) {
      this.#lose(queue, new Error('lost by Redis'))
    } else if (await this.create(queue)) {
      this.#parts.log.warn({ queue: queue.id }, 'wrote a queue anew that Redis had lost')
    } else {
      queue.mustSettle = true
      this.#queues.markDirty(queue)
    }
  }
}

/** When the keys of a queue need a new lease of life: a third of it is over. */
export function renewalAfter(now: number, queue: Queue): number {
  return now + secondsToLive(queue.options) * 333
}

function feedIds(queue: Queue, after: number, upto: number): number[] {
  return queue.idsAfter(after, Number.POSITIVE_INFINITY).filter(id => id <= upto && isFeedId(id))
}
