import { setTimeout as sleep } from 'node:timers/promises'
import type { Trace } from '../log.js'
import { logFailure } from '../log-failure.js'
import type { RawEntry } from './entry.js'
import { type Feed, type NewEntry, readAppended } from './feed.js'
import type { Parts } from './parts.js'
import type { Published } from './published.js'
import type { Recent } from './recent.js'
import type { RedisRun } from './redis-run.js'

// One call blocks Redis for well under a millisecond.
const maxBatch = 128
const maxBatchBytes = 512 * 1024
// Beyond this nothing waits in memory: stored events wait in the outbox, the others are lost.
const maxWaiting = 20_000
const maxWaitingBytes = 64 * 1024 * 1024
// Older ones are left to the outbox's sweep. The feed remembers for a minute what was published, and another worker may have
// published ours; typing and presence of that age are not worth telling.
const maxAge = 20_000
const firstPause = 20
const longestPause = 1000

/** What was read of the outbox, lowest row first. */
export interface OutboxPage {
  readonly entries: readonly NewEntry[]
  /** False: the outbox holds more that may have to be published, with higher ids. */
  readonly isAll: boolean
}

interface Waiting extends NewEntry {
  readonly at: number
  /** The same by the clock that nobody sets, and in fractions of a millisecond. */
  readonly since: number
}

/**
 * Appends to the feed. One call is under way and the next takes all that has come meanwhile: no timer, no delay when idle,
 * few calls under load. Over one connection and in one line, so that order among this worker's events is kept.
 */
export class Publisher {
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #run: RedisRun
  readonly #recent: Recent
  readonly #published: Published
  readonly #tell: (appended: readonly RawEntry[], newest: number) => void
  #waiting: Waiting[] = []
  #bytes = 0
  #running: Promise<void> | null = null
  /** Highest id that we were given. */
  #highest = 0
  /** Stored events were left to the outbox: later ones must not pass them. */
  #isLeft = false
  #isPaused = false
  #isStopped = false

  /** `tell` hears at once what we have put into the feed, and the highest id that we know to be in it. */
  constructor(
    parts: Parts,
    feed: Feed,
    run: RedisRun,
    recent: Recent,
    published: Published,
    tell: (appended: readonly RawEntry[], newest: number) => void,
  ) {
    this.#tell = tell
    this.#parts = parts
    this.#feed = feed
    this.#run = run
    this.#recent = recent
    this.#published = published
  }

  /** How many are not in the feed yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Stored events are in the outbox that this worker could not publish in their order: sweep, then call `refill`. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  publish(entries: readonly NewEntry[]): void {
    const at = this.#parts.clock.now()
    const since = performance.now()
    for (const entry of entries) {
      const isFull = this.#waiting.length >= maxWaiting || this.#bytes >= maxWaitingBytes
      // I1: a stored event that cannot wait here stays in the outbox for the sweep; nothing passes it. I5: the line has a bound.
      if (entry.outboxId > 0 && (isFull || this.#isLeft)) this.#isLeft = true
      else if (!isFull) this.#push({ ...entry, at, since })
    }
    this.#go()
  }

  /** From the outbox: in front of what waits, since it is older. What is in the feed already is dropped there. */
  publishFirst(entries: readonly NewEntry[]): void {
    const at = this.#parts.clock.now()
    const since = performance.now()
    const ids = new Set(entries.map(entry => entry.outboxId))
    const rest = this.#waiting.filter(entry => !ids.has(entry.outboxId))
    this.#waiting = []
    this.#bytes = 0
    for (const entry of entries) this.#push({ ...entry, at, since })
    for (const entry of rest) this.#push(entry)
    this.#go()
  }

  /** Stored events that come from now on wait in the outbox, behind what is older there. */
  leave(): void {
    this.#isLeft = true
  }

  /**
   * Puts what the outbox holds in front; nothing else goes out until that is read. Where it holds more than was read, all other
   * stored events wait there as well. `read` is given whether some were left there.
   */
  async refill(read: (wasLeft: boolean) => Promise<OutboxPage>): Promise<void> {
    const wasLeft = this.#isLeft
    this.#isPaused = true
    this.#isLeft = false
    try {
      const { entries, isAll } = await read(wasLeft)
      if (!isAll) this.#leaveStored()
      this.publishFirst(entries)
    } catch (error) {
      this.#isLeft = true
      throw error
    } finally {
      this.#isPaused = false
      this.#go()
    }
  }

  /** Resolves when everything is published or given up. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  #push(entry: Waiting): void {
    this.#waiting.push(entry)
    this.#bytes += entry.bytes.length
  }

  #go(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = null
      // Something came, or the pause ended, in the moment between the last look and this one.
      if (this.#waiting.length > 0 && !this.#isPaused && !this.#isStopped) this.#go()
    })
  }

  async #work(): Promise<void> {
    let pause = firstPause
    while (this.#waiting.length > 0 && !this.#isPaused) {
      try {
        // May put rows of the outbox in front.
        const run = await this.#run.ready()
        this.#leaveOld()
        if (this.#isPaused) return
        const hold = await this.#append(run, this.#nextBatch())
        if (hold > 0) await sleep(hold)
        pause = firstPause
      } catch (error) {
        this.#run.suspect()
        if (this.#isStopped) return
        logFailure(this.#parts, error, 'publishing failed: again', { waiting: this.#waiting.length })
        await sleep(pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  /** Milliseconds to wait; 0 when the batch is in the feed. */
  async #append(run: string, batch: readonly Waiting[]): Promise<number> {
    if (batch.length === 0) return 0
    const sentAt = this.#parts.clock.now()
    const result = await this.#feed.append(run, Math.max(this.#highest, this.#recent.newest), batch)
    if (result === 'stranger') {
      this.#run.suspect()
      return 1
    }
    if ('hold' in result) return result.hold
    // Something older may have been put in front meanwhile.
    const done = new Set(batch)
    this.#keep(this.#waiting.filter(entry => !done.has(entry)))
    for (const id of result.ids) if (id > this.#highest) this.#highest = id
    this.#count(batch)
    tellTraces(batch, result.ids)
    this.#published.sawAlive(sentAt)
    this.#published.note(batch.filter(entry => entry.outboxId > 0).map(entry => entry.outboxId))
    this.#tell(readAppended(batch, result.ids, result.previous), Math.max(result.previous, ...result.ids))
    return 0
  }

  #count(batch: readonly Waiting[]): void {
    const { counts } = this.#parts
    const now = performance.now()
    counts.published += batch.length
    for (const { since } of batch) counts.publishing.observe((now - since) / 1000)
  }

  #nextBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const entry of this.#waiting) {
      bytes += entry.bytes.length
      if (count > 0 && (count === maxBatch || bytes > maxBatchBytes)) break
      count++
    }
    return this.#waiting.slice(0, count)
  }

  #leaveOld(): void {
    const oldest = this.#parts.clock.now() - maxAge
    if ((this.#waiting[0]?.at ?? oldest) >= oldest) return
    // Together with the younger stored ones behind them, so that order is kept.
    if (this.#waiting.some(entry => entry.outboxId > 0)) this.#leaveStored()
    this.#keep(this.#waiting.filter(entry => entry.outboxId === 0 && entry.at >= oldest))
  }

  #leaveStored(): void {
    this.#isLeft = true
    this.#keep(this.#waiting.filter(entry => entry.outboxId === 0))
  }

  #keep(waiting: Waiting[]): void {
    this.#waiting = waiting
    this.#bytes = waiting.reduce((sum, entry) => sum + entry.bytes.length, 0)
  }
}

/** Nearly always nobody is to be told. */
function tellTraces(batch: readonly Waiting[], ids: readonly number[]): void {
  let told: Map<Trace, number[]> | undefined
  batch.forEach(({ trace }, i) => {
    if (!trace) return
    told ??= new Map()
    const own = told.get(trace) ?? []
    told.set(trace, own)
    own.push(ids[i] as number)
  })
  if (told) for (const [trace, eventIds] of told) trace.published(eventIds)
}
