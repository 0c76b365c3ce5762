import { type ApiError, badRequest } from '../../../shared/errors.js'
import { matchesQueueNarrow, type QueueMessage } from '../../narrow/grammar/queue-narrow.js'
import { type Encoded, type Entry, encodedFor, type Reading, type SharedView } from '../encoding/index.js'
import { feedIdBefore, gapEnd, isFeedId } from '../feed/index.js'
import type { Consumer } from './consumer.js'
import { LogProgress } from './log-progress.js'
import type { SharedOptions } from './queue-options.js'
import type { ShownTransactions } from './shown-transactions.js'
import { UnacknowledgedIds } from './unacknowledged-ids.js'

type QueueState = 'new' | 'loading' | 'live' | 'gone'

/** Why a queue, or only its consumer, ends on this worker. */
export type Ending = 'replaced' | 'moved' | 'gone' | 'revoked' | 'tooSlow' | 'stopping'

/** What differs between a queue that is being registered and one that was taken over. */
interface Origin {
  readonly state: 'new' | 'loading'
  readonly epoch: number
  readonly from: number
  readonly born: number
  readonly acked: number
  readonly issued: number
  readonly issuedElsewhere: number
  readonly shown: ShownTransactions | null
  readonly log: LogProgress
  /** In ms. */
  readonly idleSince: number
}

/** What a worker knows of a queue that it takes over. */
interface TakeoverState {
  readonly epoch: number
  readonly born: number
  readonly acked: number
  readonly issued: number
  readonly shown: ShownTransactions | null
  /** The queue log is complete up to this id. */
  readonly loggedUpto: number
  readonly hasLog: boolean
  /** Entries after this id reach the queue through the tail; the backfill adds the others. */
  readonly from: number
}

/**
 * A queue on the worker that owns it: the ids of the events that its client has not acknowledged, in order. The entries
 * themselves are in the entry cache (`EntryCache`) or in the feed, so a queue costs 8 bytes per event.
 *
 * Its state changes only by these methods; any other transition throws:
 *
 * | state     | meaning | method | next state |
 * |-----------|---------|--------|------------|
 * | `new`     | `Queue.registered`: not yet in Redis, and its client does not know it yet; it receives entries | `exclude`, `keepOnly` | `new` |
 * |           |         | `stored` | `live` |
 * | `loading` | `Queue.takenOver`: the backfill runs, and the queue already receives entries | `backfilled` | `live` |
 * | `live`    | complete, and in Redis; it may have a consumer | `stored`: again, after Redis lost it | `live` |
 * |           |         | `consumeBy`, `release`, `answered` | `live` |
 * | any of these |      | `end` | `gone` |
 * | `gone`    | ended, or taken over by another worker; the object must not be used any more | – | – |
 *
 * Its log in Redis has states of its own: `LogProgress`.
 */
export class Queue extends UnacknowledgedIds implements Reading {
  private _consumer: Consumer | null = null
  private _next: Queue | null = null
  private _isDirty = false
  private _shown: ShownTransactions | null
  private _acked: number
  private _issued: number
  private _issuedElsewhere: number
  /** Delivery ignores entries up to this id: they are older than the queue, or the backfill handles them. */
  readonly from: number
  readonly view: SharedView
  private _state: QueueState
  private _ending: Ending | null = null
  readonly epoch: number
  /** Newest entry id when the queue was created: the queue never held an id up to this one. */
  readonly born: number
  private _idleSince: number
  private _heartbeatAt = 0
  readonly log: LogProgress

  private constructor(
    readonly id: string,
    readonly userId: number,
    // The fields that delivery reads for each event come first, next to each other and to the ids: with thousands of queues cache misses
    // dominate.
    readonly options: SharedOptions,
    origin: Origin,
  ) {
    super()
    this.view = options.view
    this._state = origin.state
    this.epoch = origin.epoch
    this.from = origin.from
    this.born = origin.born
    this._acked = origin.acked
    this._issued = origin.issued
    this._issuedElsewhere = origin.issuedElsewhere
    this._shown = origin.shown
    this.log = origin.log
    this._idleSince = origin.idleSince
  }

  /** A queue that is being registered. `newest`: the newest entry that this worker has read; `now`: the time in ms. */
  static registered(
    id: string,
    userId: number,
    options: SharedOptions,
    { newest, now }: { readonly newest: number; readonly now: number },
  ): Queue {
    const log = new LogProgress(0, false, 'nothing', 0)
    const known = { acked: -1, issued: 0, issuedElsewhere: -1, shown: null }
    return new Queue(id, userId, options, {
      state: 'new',
      epoch: 1,
      from: newest,
      born: newest,
      ...known,
      log,
      idleSince: now,
    })
  }

  /** A queue that this worker has just taken over. Redis does not store when it was last used, so its idle timeout starts again. */
  static takenOver(
    id: string,
    userId: number,
    options: SharedOptions,
    { taken, now }: { readonly taken: TakeoverState; readonly now: number },
  ): Queue {
    const log = new LogProgress(taken.loggedUpto, taken.hasLog, 'write', now + options.renewAfterMs)
    return new Queue(id, userId, options, {
      ...taken,
      state: 'loading',
      issuedElsewhere: taken.from,
      log,
      idleSince: now,
    })
  }

  // --- state

  get state(): QueueState {
    return this._state
  }

  /** Why the queue is gone; null: it is not gone. */
  get ending(): Ending | null {
    return this._ending
  }

  /** Transactions whose events the queue excludes; null: none. */
  get shown(): ShownTransactions | null {
    return this._shown
  }

  /** Excludes the events of these transactions from now on, because the register answer shows them. */
  exclude(shown: ShownTransactions): void {
    this.require('new')
    this._shown = shown
  }

  /** Removes all ids except these, ascending. */
  keepOnly(ids: readonly number[]): void {
    this.require('new')
    this.replaceIds(ids, 0)
  }

  /** Redis holds the queue with its references up to `upto`. */
  stored(upto: number, now: number): void {
    this.require('new', 'live')
    this.log.stored(upto, !this.isEmpty, now + this.options.renewAfterMs)
    this._state = 'live'
  }

  /** The backfill has found all ids, ascending; those up to `inLog` are safely in the queue log. */
  backfilled(ids: readonly number[], inLog: number): void {
    this.require('loading')
    this.replaceIds(ids, inLog)
    this._state = 'live'
  }

  /** The queue ends on this worker, after its consumer. */
  end(ending: Ending): void {
    this.require('new', 'loading', 'live')
    this._state = 'gone'
    this._ending = ending
  }

  private require(...states: readonly QueueState[]): void {
    if (!states.includes(this._state))
      throw new Error(`the queue ${this.id} is ${this._state}, not ${states.join(' or ')}`)
  }

  // --- consumer

  /** The waiting poll or attached socket; null: none. */
  get consumer(): Consumer | null {
    return this._consumer
  }

  /** Start of the idle timeout (ms): the start of the last consumer, or the end of the last socket. */
  get idleSince(): number {
    return this._idleSince
  }

  /** When the consumer gets its next heartbeat, in ms. */
  get heartbeatAt(): number {
    return this._heartbeatAt
  }

  /** Makes this the queue's consumer; the previous one must have been released. */
  consumeBy(consumer: Consumer, now: number): void {
    this.require('live')
    if (this._consumer !== null) throw new Error(`the queue ${this.id} already has a consumer`)
    this._consumer = consumer
    this._idleSince = now
  }

  /** The queue has no consumer from now on. A socket stops and its idle timeout starts. */
  release(now: number): void {
    const consumer = this._consumer
    this._consumer = null
    if (consumer?.kind === 'socket') {
      consumer.stop()
      this._idleSince = now
    }
  }

  /** The waiting poll gets an answer with all events up to `upto`, and so is no consumer any longer. */
  answered(upto: number): void {
    if (this._consumer?.kind !== 'poll') throw new Error(`the queue ${this.id} has no waiting poll`)
    this._consumer = null
    if (upto > this.issued) this._issued = upto
  }

  /** Starts the idle timeout again. */
  restartIdleTimeout(now: number): void {
    this._idleSince = now
  }

  scheduleHeartbeat(at: number): void {
    this._heartbeatAt = at
  }

  // --- places in the lists of `Queues`, which alone changes them

  /** The next queue of the same user on this worker. */
  get next(): Queue | null {
    return this._next
  }

  /** Whether the next flush of the queue log looks at this queue. */
  get isDirty(): boolean {
    return this._isDirty
  }

  linkTo(next: Queue | null): void {
    this._next = next
  }

  setDirty(isDirty: boolean): void {
    this._isDirty = isDirty
  }

  // --- filter

  /** The entry's encoding for this queue; null: the queue does not get it. The caller has checked the audience. */
  accepts(entry: Entry): Encoded | null {
    return this._shown?.has(entry.xid) ? null : this.reads(entry)
  }

  /** As `accepts`, for an entry that the register answer of the queue does not show. */
  reads(entry: Entry): Encoded | null {
    const { def } = entry
    const { eventTypes, narrow } = this.options
    if (def === undefined || (eventTypes !== null && !eventTypes.has(def.def.type))) return null
    if (narrow !== null && def.isMessage && !matchesQueueNarrow(narrow, asMessage(entry, this.userId))) return null
    return encodedFor(entry, this)
  }

  /**
   * Whether this id belongs to the entry, or to one of the several events that the entry is in this queue's view. Also checks that the
   * user may receive the entry.
   */
  isOf(id: number, entry: Entry): boolean {
    const { userId, options } = this
    const isFor = entry.audience.has(userId) || (options.allPublicStreams && entry.publicReaders.has(userId))
    const encoded = isFor ? this.accepts(entry) : null
    return encoded !== null && id <= encoded.id && id > encoded.id - encoded.count
  }

  // --- acknowledgement

  /** Highest id that the client has acknowledged; -1: none. */
  get acked(): number {
    return this._acked
  }

  /**
   * Highest id that the client may have received. Sending an event does not update it: a sent event stays in the queue until it is
   * acknowledged, so the highest id of the queue covers it.
   */
  get issued(): number {
    return Math.max(this._issued, this.last)
  }

  /** The previous owner may have issued ids up to this one that this worker does not know; -1: this worker knows all. */
  get issuedElsewhere(): number {
    return this._issuedElsewhere
  }

  /** The log in Redis exists, and the client has acknowledged all its references. */
  get isLogObsolete(): boolean {
    return this.log.exists && this.isEmpty
  }

  /** Whether the client may acknowledge this id, as far as memory shows. */
  holds(id: number): boolean {
    return id === this._acked || this.has(id)
  }

  /**
   * Whether the client may acknowledge this id; 'ask': the caller has to check the entry to which the id would belong.
   * @throws {ApiError} BAD_REQUEST if it may not.
   */
  check(id: number): 'ok' | 'ask' {
    if (this.holds(id)) return 'ok'
    if (id < this._acked) throw badRequest(`An event newer than ${id} has already been pruned!`)
    if (id > this.born) {
      if (this._issuedElsewhere < 0) {
        if (id <= this.spilledUpto) return 'ok'
        // An entry that is several events can use a multiple of 16 below its own id. Other ids may also be those of heartbeats.
        if (id <= this.issued) return isFeedId(id) ? 'ask' : 'ok'
      } else if (id <= gapEnd(Math.max(this.issued, this._issuedElsewhere))) {
        // Redis may have lost an event that the previous owner delivered, and a heartbeat in the gap behind it.
        return this.has(feedIdBefore(id)) ? 'ok' : 'ask'
      }
    }
    throw wasNotIn(id)
  }

  /** Removes everything up to this id, which `check` has accepted. */
  acknowledge(id: number): void {
    // This worker knows all ids above an acknowledged one.
    this._issuedElsewhere = -1
    if (id <= this._acked) return
    this._acked = id
    if (id > this._issued) this._issued = id
    this.removeUpto(id)
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
