import { type ApiError, badRequest } from '../../../shared/errors.js'
import { matchesQueueNarrow, type QueueMessage } from '../../text/queue-narrow.js'
import { type Encoded, encodedFor, type Reading } from '../encoding/encodings.js'
import type { Entry } from '../encoding/entry.js'
import type { SharedView } from '../encoding/views.js'
import { feedIdBefore, gapEnd, isFeedId } from '../feed/ids.js'
import type { Reader } from './readers.js'
import type { SharedOptions } from './shared-options.js'
import type { ShownTransactions } from './snapshot.js'

/**
 * new:     being registered on this worker; not yet in Redis, and its client does not know it yet.
 * loading: taken over; the backfill runs, and the queue already receives new entries.
 * live:    complete.
 * gone:    ended, or taken over by another worker; this object must not be used any more.
 *
 *   new ─created─▶ live ◀──loaded── loading
 *    └──────────────┴──────ended─────┴────▶ gone
 */
export type QueueState = 'new' | 'loading' | 'live' | 'gone'

/** Why a queue, or only its consumer, ends on this worker. */
export type Ending = 'replaced' | 'moved' | 'gone' | 'revoked' | 'tooSlow' | 'stopping'

// Unacknowledged ids that a queue keeps in memory; older ids are in the queue log only.
const maxInMemory = 512

/**
 * A queue on the worker that owns it: the ids of the events that its client has not acknowledged, in order. The entries
 * themselves are in the entry cache (`EntryCache`) or in the feed, so a queue costs 8 bytes per event.
 */
export class Queue implements Reading {
  // The fields that delivery reads for each event come first, next to each other: with thousands of queues cache misses dominate.
  reader: Reader | null = null
  /** The next queue of the same user on this worker. */
  next: Queue | null = null
  isDirty = false
  /** Unacknowledged ids from #head to #tail; the array is reused, so a queue that is read costs no allocation per event. */
  #ids: number[] = []
  #head = 0
  #tail = 0
  #spilled = 0
  readonly view: SharedView
  state: QueueState
  /** Why the queue is gone; null: it is not gone. */
  ending: Ending | null = null
  /** Transactions whose events the queue excludes; set by `Queues.leaveOut`. */
  shown: ShownTransactions | null = null
  /** Delivery ignores entries up to this id: they are older than the queue, or the backfill handles them. */
  from: number
  /** Newest entry id when the queue was created: the queue never held an id up to this one. */
  readonly born: number
  /** Highest id that the client has acknowledged; -1: none. */
  acked = -1
  #issued = 0
  /** Unacknowledged ids up to this one are in the log in Redis. */
  logged = 0
  /** Whether Redis holds a log of this queue. */
  hasLog = false
  /** The previous owner may have issued ids up to this one that this worker does not know; -1: this worker knows all. */
  issuedElsewhere = -1
  /** The next flush has to write to the log under this epoch, even without new references. */
  mustSettle = false
  /** Redis may have lost the end of the log: the next flush writes it again from the last safe id (log-append.lua). */
  mustRelog = false
  /** Start of the idle timeout (ms): the start of the last poll or the end of the last socket. */
  idleSince = 0
  renewAt = 0
  heartbeatAt = 0

  #spilledUpto = 0
  /** Pages read back from the log: the last id of each page, and the number of ids in it. */
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

  /** The entry's encoding for this queue; null: the queue does not get it. The caller has checked the audience. */
  accepts(entry: Entry): Encoded | null {
    return this.shown?.has(entry.xid) ? null : this.reads(entry)
  }

  /** As `accepts`, for an entry that the register answer of the queue does not show. */
  reads(entry: Entry): Encoded | null {
    const { def } = entry
    const { eventTypes, narrow } = this.options
    if (def === undefined || (eventTypes !== null && !eventTypes.has(def.def.type))) return null
    if (narrow !== null && def.isMessage && !matchesQueueNarrow(narrow, asMessage(entry, this.userId))) return null
    return encodedFor(entry, this)
  }

  /** As `accepts`, but also checks that the user may receive the entry. */
  takes(entry: Entry): Encoded | null {
    const isFor =
      entry.audience.has(this.userId) || (this.options.allPublicStreams && entry.publicReaders.has(this.userId))
    return isFor ? this.accepts(entry) : null
  }

  /**
   * Highest id that the client may have received. Sending an event does not update it: a sent event stays in the queue until it is
   * acknowledged, so the highest id of the queue covers it.
   */
  get issued(): number {
    return Math.max(this.#issued, this.last)
  }

  set issued(id: number) {
    this.#issued = id
  }

  // --- unacknowledged events

  /** Number of unacknowledged events; for those in the log only, an estimate. */
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

  /** Lowest entry id in memory, or 0; heartbeats are skipped because they have no entry in the feed. */
  get firstInFeed(): number {
    let at = this.#head
    while (at < this.#tail && !isFeedId(this.#ids[at] as number)) at++
    return at === this.#tail ? 0 : (this.#ids[at] as number)
  }

  /** Ids up to this one are in the queue log only; 0: none. */
  get spilledUpto(): number {
    return this.#spilled > 0 ? this.#spilledUpto : 0
  }

  append(id: number): void {
    if (this.#head === this.#tail) this.#head = this.#tail = 0
    if (this.#tail < this.#ids.length) this.#ids[this.#tail] = id
    else this.#ids.push(id)
    this.#tail++
  }

  /** Appends a heartbeat and replaces an unacknowledged one at the end: the queue keeps at most one. */
  appendHeartbeat(id: number): void {
    if (this.#head < this.#tail && !isFeedId(this.#ids[this.#tail - 1] as number)) this.#tail--
    this.append(id)
  }

  /** At most `limit` ids in memory after the id `after`. */
  idsAfter(after: number, limit: number): number[] {
    let at = this.#head
    // Searches from the end, because usually only few ids are new.
    if (after > 0) {
      at = this.#tail
      while (at > this.#head && (this.#ids[at - 1] as number) > after) at--
    }
    return this.#ids.slice(at, Math.min(this.#tail, at + limit))
  }

  /** Replaces the ids in memory by `ids`, ascending; those up to `inLog` are in the queue log, too. */
  load(ids: readonly number[], inLog: number): void {
    this.#ids = [...ids]
    this.#head = 0
    this.#tail = ids.length
    this.spill(inLog)
  }

  // I5: a queue keeps a bounded number of ids in memory; the others are in the queue log.
  /** Removes the oldest ids beyond the bound from memory, as far as the queue log holds them safely. */
  spill(inLog: number): void {
    while (this.#tail - this.#head > maxInMemory && (this.#ids[this.#head] as number) <= inLog) {
      const id = this.#ids[this.#head] as number
      this.#head++
      if (!isFeedId(id)) continue
      this.#spilled++
      this.#spilledUpto = id
    }
    // Without this the array would never shrink.
    if (this.#head > maxInMemory) this.#shrink()
  }

  #shrink(): void {
    this.#ids = this.#ids.slice(this.#head, this.#tail)
    this.#tail -= this.#head
    this.#head = 0
  }

  /** Notes a page of ids that was read back from the log, so that its acknowledgement reduces the count of spilled ids. */
  readBack(ids: readonly number[]): void {
    const upto = ids.at(-1) ?? 0
    const before = this.#marks.at(-1)?.upto ?? 0
    // A page can repeat ids of the end of the previous page.
    if (upto > before) this.#marks.push({ upto, count: ids.filter(id => id > before).length })
  }

  // --- acknowledgement

  /**
   * Whether the client may acknowledge this id; 'ask': the caller has to check the entry to which the id would belong.
   * @throws {ApiError} BAD_REQUEST if it may not.
   */
  check(id: number): 'ok' | 'ask' {
    if (id === this.acked) return 'ok'
    if (id < this.acked) throw badRequest(`An event newer than ${id} has already been pruned!`)
    if (id === -1 || this.#has(id)) return 'ok'
    if (id > this.born) {
      if (this.issuedElsewhere < 0) {
        if (id <= this.spilledUpto) return 'ok'
        // An entry that is several events can use a multiple of 16 below its own id. Other ids may also be those of heartbeats.
        if (id <= this.issued) return isFeedId(id) ? 'ask' : 'ok'
      } else if (id <= gapEnd(Math.max(this.issued, this.issuedElsewhere))) {
        // Redis may have lost an event that the previous owner delivered, and a heartbeat in the gap behind it.
        return this.#has(feedIdBefore(id)) ? 'ok' : 'ask'
      }
    }
    throw wasNotIn(id)
  }

  /** Whether this id belongs to the entry, or to one of the several events that the entry is in this queue's view. */
  isOf(id: number, entry: Entry): boolean {
    const encoded = this.takes(entry)
    return encoded !== null && id <= encoded.id && id > encoded.id - encoded.count
  }

  /** The lowest entry id in memory above `id`, or 0. */
  nextInFeed(id: number): number {
    let next = 0
    for (let i = this.#tail - 1; i >= this.#head && (this.#ids[i] as number) > id; i--) {
      if (isFeedId(this.#ids[i] as number)) next = this.#ids[i] as number
    }
    return next
  }

  /** Removes everything up to this id, which `check` has accepted. */
  acknowledge(id: number): void {
    // This worker knows all ids above an acknowledged one.
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

/** The error for an id that no event of the queue has. */
export const wasNotIn = (id: number): ApiError => badRequest(`Event ${id} was not in this queue`)

/** A message event with the user's own flags, as the narrow needs it. */
function asMessage({ payload, perUser }: Entry, userId: number): QueueMessage {
  const { message, flags = [] } = payload as { message: QueueMessage['message']; flags?: readonly string[] }
  const own = perUser.find(({ users }) => users.has(userId))?.fields.flags as readonly string[] | undefined
  return { message, flags: own ?? flags }
}
