import { type ApiError, badRequest } from '../../shared/errors.js'
import { matchesQueueNarrow, type QueueMessage } from '../text/queue-narrow.js'
import { type Encoded, encodedFor, type Reading } from './encodings.js'
import type { Entry } from './entry.js'
import { feedIdBefore, gapEnd, isFeedId } from './ids.js'
import type { Reader } from './readers.js'
import type { SharedOptions } from './shared-options.js'
import type { ShownTransactions } from './snapshot.js'
import type { SharedView } from './views.js'

/**
 * new:     being registered here, not yet in Redis; its client does not know it yet.
 * loading: taken over; what the former owner left is being read, live entries are collected already.
 * live:    complete.
 * gone:    no longer ours (ended, taken over): nothing may be done with it.
 *
 *   new ─created─▶ live ◀──loaded── loading
 *    └──────────────┴──────ended─────┴────▶ gone
 */
export type QueueState = 'new' | 'loading' | 'live' | 'gone'

/** Why a queue's reader, or the queue itself, ends here. */
export type Ending = 'replaced' | 'moved' | 'gone' | 'revoked' | 'tooSlow' | 'stopping'

// Ids of unacknowledged entries in memory; older ones are in the queue's log.
const maxInMemory = 512

/**
 * One client's queue on the worker that owns it: ids of what the client has not acknowledged, in order. The entries
 * themselves are in `Recent` or in the feed, so that a queue costs 8 bytes per event.
 */
export class Queue implements Reading {
  // What is looked at for each event comes first, side by side: with thousands of queues each further piece of memory counts.
  reader: Reader | null = null
  /** The next queue of the same user on this worker. */
  next: Queue | null = null
  isDirty = false
  /** Unacknowledged ids from #head on; the array is kept, so that a queue that is read costs no allocation per event. */
  #ids: number[] = []
  #head = 0
  #tail = 0
  #spilled = 0
  readonly view: SharedView
  state: QueueState
  /** Why it is gone; null: it is not. */
  ending: Ending | null = null
  /** Set by `Queues.leaveOut`. */
  shown: ShownTransactions | null = null
  /** Live entries up to this one are not for this queue: they came before it, or its log has them. */
  from: number
  /** Feed id behind which it began: no id up to this one was ever in it. */
  readonly born: number
  /** Highest id that the client has acknowledged; -1: none. */
  acked = -1
  #issued = 0
  /** Unacknowledged ids up to this one are in the log in Redis. */
  logged = 0
  /** The log holds something. */
  hasLog = false
  /** The owner before us may have issued ids up to this one of which we know nothing; -1 when we know all. */
  issuedElsewhere = -1
  /** The log has to be written once under our epoch, even with nothing new (claim.lua). */
  mustSettle = false
  /** Redis may have lost the end of the log: it is written again from where it is safe (log-append.lua). */
  mustRelog = false
  /** Since when nobody reads it, in milliseconds. */
  idleSince = 0
  renewAt = 0
  heartbeatAt = 0

  #spilledUpto = 0
  /** What has been read back from the log: how many ids up to which. */
  #marks: { upto: number; count: number }[] = []

  constructor(
    readonly id: string,
    readonly userId: number,
    readonly options: SharedOptions,
    readonly epoch: number,
    state: 'new' | 'loading',
    from: number,
    born = from,
  ) {
    this.view = options.view
    this.state = state
    this.from = from
    this.born = born
  }

  /** The entry as this queue gets it; null when it does not. Who is in the audience has been decided before. */
  accepts(entry: Entry): Encoded | null {
    return this.shown?.has(entry.xid) ? null : this.reads(entry)
  }

  /** As `accepts`, for an entry that its client's register answer does not show. */
  reads(entry: Entry): Encoded | null {
    const { def } = entry
    const { eventTypes, narrow } = this.options
    if (def === undefined || (eventTypes !== null && !eventTypes.has(def.def.type))) return null
    if (narrow !== null && def.isMessage && !matchesQueueNarrow(narrow, asMessage(entry, this.userId))) return null
    return encodedFor(entry, this)
  }

  /** As `accepts`, for an entry that may be for others. */
  takes(entry: Entry): Encoded | null {
    const isFor =
      entry.audience.has(this.userId) || (this.options.allPublicStreams && entry.publicReaders.has(this.userId))
    return isFor ? this.accepts(entry) : null
  }

  /** Highest id that the client may have seen. Nothing is written for each event: what it was given is here until acknowledged. */
  get issued(): number {
    return Math.max(this.#issued, this.last)
  }

  set issued(id: number) {
    this.#issued = id
  }

  // --- what is not acknowledged

  /** How many; those in the log alone are counted as far as is known. */
  get length(): number {
    return this.#spilled + this.#tail - this.#head
  }

  get isEmpty(): boolean {
    return this.#head === this.#tail && this.#spilled === 0
  }

  /** Highest id in the queue, or 0. */
  get last(): number {
    return this.#head === this.#tail
      ? this.#spilled > 0
        ? this.#spilledUpto
        : 0
      : (this.#ids[this.#tail - 1] as number)
  }

  /** Lowest id in memory that stands for an entry of the feed, or 0: heartbeats need nothing from there. */
  get firstInFeed(): number {
    let at = this.#head
    while (at < this.#tail && !isFeedId(this.#ids[at] as number)) at++
    return at === this.#tail ? 0 : (this.#ids[at] as number)
  }

  /** Ids up to this one are in the log alone; 0: none are. */
  get spilledUpto(): number {
    return this.#spilled > 0 ? this.#spilledUpto : 0
  }

  append(id: number): void {
    if (this.#head === this.#tail) this.#head = this.#tail = 0
    if (this.#tail < this.#ids.length) this.#ids[this.#tail] = id
    else this.#ids.push(id)
    this.#tail++
  }

  /** Puts a heartbeat at the end, in place of one that nobody has acknowledged: more than one tells nothing. */
  appendHeartbeat(id: number): void {
    if (this.#head < this.#tail && !isFeedId(this.#ids[this.#tail - 1] as number)) this.#tail--
    this.append(id)
  }

  /** Up to `limit` ids in memory after this one. */
  idsAfter(after: number, limit: number): number[] {
    let at = this.#head
    // From the end: nearly always few are new.
    if (after > 0) {
      at = this.#tail
      while (at > this.#head && (this.#ids[at - 1] as number) > after) at--
    }
    return this.#ids.slice(at, Math.min(this.#tail, at + limit))
  }

  /** Takes the place of what is in memory: ascending ids of which those up to `inLog` are in the log, too. */
  load(ids: readonly number[], inLog: number): void {
    this.#ids = [...ids]
    this.#head = 0
    this.#tail = ids.length
    this.spill(inLog)
  }

  // I5: a queue keeps a bounded number of ids in memory; the log has the others.
  /** Forgets the oldest ids beyond the bound, as far as the log has them for sure. */
  spill(inLog: number): void {
    while (this.#tail - this.#head > maxInMemory && (this.#ids[this.#head] as number) <= inLog) {
      const id = this.#ids[this.#head] as number
      this.#head++
      if (!isFeedId(id)) continue
      this.#spilled++
      this.#spilledUpto = id
    }
    // The array would keep its length for good.
    if (this.#head > maxInMemory) this.#shrink()
  }

  #shrink(): void {
    this.#ids = this.#ids.slice(this.#head, this.#tail)
    this.#tail -= this.#head
    this.#head = 0
  }

  /** These ids were read back from the log: when they are acknowledged, that many are gone. */
  readBack(ids: readonly number[]): void {
    const upto = ids.at(-1) ?? 0
    const before = this.#marks.at(-1)?.upto ?? 0
    // The end of the page before is read again with the next one.
    if (upto > before) this.#marks.push({ upto, count: ids.filter(id => id > before).length })
  }

  // --- acknowledging

  /**
   * Whether the client may say that it has handled this id; 'ask': look at the entry that it would belong to.
   * @throws {ApiError} BAD_REQUEST when it may not.
   */
  check(id: number): 'ok' | 'ask' {
    if (id === this.acked) return 'ok'
    if (id < this.acked) throw badRequest(`An event newer than ${id} has already been pruned!`)
    if (id === -1 || this.#has(id)) return 'ok'
    if (id > this.born) {
      if (this.issuedElsewhere < 0) {
        if (id <= this.spilledUpto) return 'ok'
        // One of the ids of an event in several pieces may look like an entry's own. The others may be heartbeats' as well.
        if (id <= this.issued) return isFeedId(id) ? 'ask' : 'ok'
      } else if (id <= gapEnd(Math.max(this.issued, this.issuedElsewhere))) {
        // Redis may have lost what the former owner gave, and a heartbeat in the gap behind it.
        return this.#has(feedIdBefore(id)) ? 'ok' : 'ask'
      }
    }
    throw wasNotIn(id)
  }

  /** Whether this id is that of the entry, or of one of the events in which this queue reads it. */
  isOf(id: number, entry: Entry): boolean {
    const encoded = this.takes(entry)
    return encoded !== null && id <= encoded.id && id > encoded.id - encoded.count
  }

  /** The lowest id above this one in memory that stands for an entry of the feed, or 0. */
  nextInFeed(id: number): number {
    let next = 0
    for (let i = this.#tail - 1; i >= this.#head && (this.#ids[i] as number) > id; i--) {
      if (isFeedId(this.#ids[i] as number)) next = this.#ids[i] as number
    }
    return next
  }

  /** Forgets everything up to this id, which `check` has let pass. */
  acknowledge(id: number): void {
    // What comes after it we know.
    this.issuedElsewhere = -1
    if (id <= this.acked) return
    this.acked = id
    if (id > this.#issued) this.#issued = id
    while (this.#head < this.#tail && (this.#ids[this.#head] as number) <= id) this.#head++
    if (this.#spilled === 0) return
    while (this.#marks[0] && this.#marks[0].upto <= id) this.#spilled -= this.#marks.shift()?.count ?? 0
    if (id >= this.#spilledUpto || this.#spilled < 0) {
      this.#spilled = id >= this.#spilledUpto ? 0 : 1
      this.#marks = []
    } else if (this.#spilled === 0) this.#spilled = 1
  }

  #has(id: number): boolean {
    for (let i = this.#tail - 1; i >= this.#head; i--) {
      const found = this.#ids[i] as number
      if (found <= id) return found === id
    }
    return false
  }
}

/** The refusal of an id that no event of the queue has. */
export const wasNotIn = (id: number): ApiError => badRequest(`Event ${id} was not in this queue`)

/** A message event as the narrow reads it: the flags are the user's own. */
function asMessage({ payload, perUser }: Entry, userId: number): QueueMessage {
  const { message, flags = [] } = payload as { message: QueueMessage['message']; flags?: readonly string[] }
  const own = perUser.find(({ users }) => users.has(userId))?.fields.flags as readonly string[] | undefined
  return { message, flags: own ?? flags }
}
