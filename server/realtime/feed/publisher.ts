import { setTimeout as sleep } from 'node:timers/promises'
import { logFailure } from '../../failures/log-failure.js'
import type { Trace } from '../../log.js'
import { encodeInternal } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache } from './entry-cache.js'
import { type Feed, type NewEntry, readAppended } from './feed.js'
import type { OutboxCleanup } from './outbox-cleanup.js'
import type { RestartDetection } from './restart-detection.js'
import type { Tail } from './tail.js'

// Entries per call; one call blocks Redis for well under 1 ms.
const maxBatch = 128
const maxBatchBytes = 512 * 1024
// Beyond this many entries or bytes in memory, events with an outbox row wait in the outbox and ephemeral events are lost.
const maxWaiting = 20_000
const maxWaitingBytes = 64 * 1024 * 1024
// Older events are left to the outbox sweep: another worker may have published them meanwhile, and Redis remembers
// the ids of published rows only for a limited time. Ephemeral events of this age (typing, presence) are discarded.
const maxAge = 20_000
const firstPauseMs = 20
const longestPauseMs = 1000

/** Rows read from the outbox, lowest id first. */
export interface OutboxPage {
  readonly entries: readonly NewEntry[]
  /** False: the outbox holds further rows, with higher ids, that may have to be published. */
  readonly isAll: boolean
}

interface Waiting extends NewEntry {
  readonly at: number
  /** The same time by the monotonic clock, in fractions of a millisecond. */
  readonly since: number
}

interface PublisherParts {
  readonly feed: Feed
  readonly restarts: RestartDetection
  readonly cache: EntryCache
  readonly cleanup: OutboxCleanup
  readonly tail: Pick<Tail, 'receive'>
}

/**
 * Publishes events. One call runs at a time and the next call takes all events that arrived meanwhile: this needs no timer, adds no
 * delay when idle and makes few calls under load. One connection and one queue keep this worker's events in order.
 */
export class Publisher {
  private _waiting: Waiting[] = []
  private bytes = 0
  private running: Promise<void> | null = null
  /** Highest entry id that Redis has assigned to an event of this worker. */
  private highest = 0
  /** Events were left to the outbox sweep; later events with an outbox row must not overtake them. */
  private _isLeft = false
  private isPaused = false
  private isStopped = false
  private _tickedAt: number

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: PublisherParts,
  ) {
    this._tickedAt = deps.clock.now()
  }

  /** Number of events in memory that are not yet in the feed. */
  get waiting(): number {
    return this._waiting.length
  }

  /** The outbox holds events that this worker could not publish in order: the outbox sweep has to call `refill`. */
  get isLeft(): boolean {
    return this._isLeft
  }

  publish(entries: readonly NewEntry[]): void {
    const at = this.deps.clock.now()
    const since = performance.now()
    for (const entry of entries) {
      const isFull = this._waiting.length >= maxWaiting || this.bytes >= maxWaitingBytes
      // I1: an event that cannot wait in memory stays in the outbox for the sweep; no event overtakes it. I5: the memory is bounded.
      if (entry.outboxId > 0 && (isFull || this._isLeft)) this._isLeft = true
      else if (!isFull) this.enqueue({ ...entry, at, since })
    }
    this.go()
  }

  /** Publishes an internal event without an audience: heartbeats need the ids behind it, and a gap between two entries has only a few. */
  tick(): void {
    this._tickedAt = this.deps.clock.now()
    this.publish([{ bytes: encodeInternal('_tick'), outboxId: 0, xid: '', messageId: 0 }])
  }

  /** When this worker last published a tick, in ms; before the first one the start of the worker. */
  get tickedAt(): number {
    return this._tickedAt
  }

  /** Publishes rows of the outbox before the waiting events, which are newer. publish.lua skips rows that are in the feed already. */
  publishFirst(entries: readonly NewEntry[]): void {
    const at = this.deps.clock.now()
    const since = performance.now()
    const ids = new Set(entries.map(entry => entry.outboxId))
    const rest = this._waiting.filter(entry => !ids.has(entry.outboxId))
    this._waiting = []
    this.bytes = 0
    for (const entry of entries) this.enqueue({ ...entry, at, since })
    for (const entry of rest) this.enqueue(entry)
    this.go()
  }

  /** From now on events with an outbox row wait in the outbox, behind its older rows. */
  leave(): void {
    this._isLeft = true
  }

  /**
   * Reads rows of the outbox and publishes them before the waiting events; publishing pauses until they are read. If the outbox
   * holds more rows than were read, all other events with an outbox row wait there as well. `read` gets whether events were left there.
   */
  async refill(read: (wasLeft: boolean) => Promise<OutboxPage>): Promise<void> {
    const wasLeft = this._isLeft
    this.isPaused = true
    this._isLeft = false
    try {
      const { entries, isAll } = await read(wasLeft)
      if (!isAll) this.leaveStored()
      this.publishFirst(entries)
    } catch (error) {
      this._isLeft = true
      throw error
    } finally {
      this.isPaused = false
      this.go()
    }
  }

  /** Resolves when each waiting event is published or left to the outbox sweep. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }

  private enqueue(entry: Waiting): void {
    this._waiting.push(entry)
    this.bytes += entry.bytes.length
  }

  private go(): void {
    this.running ??= this.work().finally(() => {
      this.running = null
      // An event may have arrived, or the pause may have ended, after the loop's last check.
      if (this._waiting.length > 0 && !this.isPaused && !this.isStopped) this.go()
    })
  }

  private async work(): Promise<void> {
    let pause = firstPauseMs
    while (this._waiting.length > 0 && !this.isPaused) {
      try {
        // This may put rows of the outbox in front of the waiting events.
        const run = await this.parts.restarts.ready()
        this.leaveOld()
        if (this.isPaused) return
        const hold = await this.append(run, this.nextBatch())
        if (hold > 0) await sleep(hold)
        pause = firstPauseMs
      } catch (error) {
        this.parts.restarts.suspect()
        if (this.isStopped) return
        logFailure(this.deps, error, 'publishing failed: retrying', { waiting: this._waiting.length })
        await sleep(pause)
        pause = Math.min(pause * 2, longestPauseMs)
      }
    }
  }

  /** Appends the batch. Returns how many milliseconds to wait before a retry; 0: the batch is in the feed. */
  private async append(run: string, batch: readonly Waiting[]): Promise<number> {
    if (batch.length === 0) return 0
    const sentAt = this.deps.clock.now()
    const result = await this.parts.feed.append(run, Math.max(this.highest, this.parts.cache.newest), batch)
    if (result === 'stranger') {
      this.parts.restarts.suspect()
      return 1
    }
    if ('hold' in result) return result.hold
    // Older rows may have been put in front of the batch during the call.
    const done = new Set(batch)
    this.keep(this._waiting.filter(entry => !done.has(entry)))
    for (const id of result.ids) if (id > this.highest) this.highest = id
    this.count(batch)
    notifyTraces(batch, result.ids)
    this.parts.cleanup.sawAlive(sentAt)
    this.parts.cleanup.note(batch.filter(entry => entry.outboxId > 0).map(entry => entry.outboxId))
    const newest = Math.max(result.previous, ...result.ids)
    this.parts.tail.receive(readAppended(batch, result.ids, result.previous), newest)
    return 0
  }

  private count(batch: readonly Waiting[]): void {
    const { counts } = this.deps
    const now = performance.now()
    counts.published += batch.length
    for (const { since } of batch) counts.publishing.observe((now - since) / 1000)
  }

  private nextBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const entry of this._waiting) {
      bytes += entry.bytes.length
      if (count > 0 && (count === maxBatch || bytes > maxBatchBytes)) break
      count++
    }
    return this._waiting.slice(0, count)
  }

  private leaveOld(): void {
    const oldest = this.deps.clock.now() - maxAge
    if ((this._waiting[0]?.at ?? oldest) >= oldest) return
    // The younger events with an outbox row are left as well, so that order is kept.
    if (this._waiting.some(entry => entry.outboxId > 0)) this.leaveStored()
    this.keep(this._waiting.filter(entry => entry.outboxId === 0 && entry.at >= oldest))
  }

  private leaveStored(): void {
    this._isLeft = true
    this.keep(this._waiting.filter(entry => entry.outboxId === 0))
  }

  private keep(waiting: Waiting[]): void {
    this._waiting = waiting
    this.bytes = waiting.reduce((sum, entry) => sum + entry.bytes.length, 0)
  }
}

/** Reports the event ids to the traces of the requests; allocates nothing if no event has a trace, as is usual. */
function notifyTraces(batch: readonly Waiting[], ids: readonly number[]): void {
  let idsOf: Map<Trace, number[]> | undefined
  batch.forEach(({ trace }, i) => {
    if (!trace) return
    idsOf ??= new Map()
    const own = idsOf.get(trace) ?? []
    idsOf.set(trace, own)
    own.push(ids[i] as number)
  })
  if (idsOf) for (const [trace, eventIds] of idsOf) trace.published(eventIds)
}
