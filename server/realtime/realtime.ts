import type { View } from '../../shared/capabilities.js'
import type { CloseCode } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { Trace } from '../log.js'
import type { QueueNarrow } from '../text/queue-narrow.js'
import type { Emission } from './emission.js'
import type { KnownRows } from './known-rows.js'

/** What a client asked for when it registered its queue. Kept in Redis, so that any worker can go on with the queue. */
export interface QueueOptions {
  readonly userId: number
  readonly view: View
  /** Event types that the queue takes; null: all. Heartbeats come in any case. */
  readonly eventTypes: readonly string[] | null
  readonly narrow: QueueNarrow | null
  /** Message events of every public channel, also of those that the user is not subscribed to. */
  readonly allPublicStreams: boolean
  /** Seconds without a reader after which the queue is collected. */
  readonly idleSeconds: number
}

/** The state of the database that a register answer shows, as `pg_current_snapshot()::text` of the transaction that read it. */
export type Snapshot = string

/** What reads a queue over a socket. The engine calls it from its own turns, never from inside a request handler. */
export interface Consumer {
  readonly codec: Codec
  /** One frame. False: the bytes are kept but the socket is full; the engine waits for `Attachment.drained()`. */
  send(frame: Uint8Array | string): boolean
  /** Bytes that the socket has taken and not sent. */
  buffered(): number
  close(code: CloseCode, reason: string): void
}

/** A socket's hold on a queue. */
export interface Attachment {
  readonly queueId: string
  /** @throws {ApiError} BAD_REQUEST for an id that the queue never issued. */
  acknowledge(lastEventId: number): void
  /** The socket can take more. */
  drained(): void
  /** Stops delivery and keeps the queue; its idle clock starts. Called too when the socket is gone. */
  detach(): void
}

export interface PollAnswer {
  readonly queueId: string
  /** The JSON text of each event, in order. */
  readonly events: readonly string[]
  /** The wire's `"events":[…]`: the same bytes for all who are given the same events, so nobody writes into them. */
  readonly field: Uint8Array
}

/** Whether who asked still waits: as much of an AbortSignal as is needed, for one costs more than all else of a poll. */
export interface Leaving {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
}

/**
 * The event engine of one worker (design: feed, queues, log, delivery). Everything that a queue needs is in Redis, so any
 * worker serves any queue: who attaches or polls takes it over.
 */
export interface Realtime {
  /**
   * A new queue, and the state that its events go on from. The queue takes part from before `read` is called; events whose
   * transaction the snapshot shows are left out of it, and with a snapshot of null none are. A queue that cannot be kept complete
   * meanwhile is given up, and all of it is done again with another one: `read` may be called several times.
   * @throws {ApiError} SERVER_NOT_READY when none could be kept complete, or the worker stops; RATE_LIMIT_HIT; UNAUTHORIZED when
   *   the user was revoked meanwhile; and what `read` throws. Then there is no queue.
   */
  register<State extends { readonly snapshot: Snapshot | null }>(
    options: QueueOptions,
    read: () => Promise<State>,
  ): Promise<{ queueId: string; state: State }>

  /**
   * Events after `lastEventId`; waits for one unless `dontBlock`. After HEARTBEAT_SECONDS a heartbeat event ends the wait.
   * A newer poll or attach on the same queue ends it at once, with what there is.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID (unknown, collected, of another user) or BAD_REQUEST (an id never issued, or one
   *   below what was acknowledged).
   */
  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    options: { dontBlock: boolean; signal: Leaving },
  ): Promise<PollAnswer>

  /**
   * Delivers everything after `lastEventId` to the consumer, then live events. The first frame is sent in a later turn
   * than the one in which the promise resolves, so that the caller's reply goes out first.
   * @throws {ApiError} as `poll`.
   */
  attach(queueId: string, userId: number, lastEventId: number, consumer: Consumer): Promise<Attachment>

  /** @throws {ApiError} BAD_EVENT_QUEUE_ID. A waiting poll ends with BAD_EVENT_QUEUE_ID, an attached socket with 4010. */
  drop(queueId: string, userId: number): Promise<void>

  /**
   * Publishes events of a committed transaction; `outbox` are the ids of their rows, in the same order. Returns at once:
   * order among calls is kept, and what cannot be published now is retried and, should this worker die, found in the outbox.
   */
  publish(emissions: readonly OutboxedEmission[]): void

  /** As `publish`, behind all rows of the outbox that are not in the feed yet: it takes until they have been read. */
  publishBehindOutbox(emissions: readonly OutboxedEmission[]): void

  /** Which rows of the outbox have to be in the feed before one's own. */
  readonly knownRows: Pick<KnownRows, 'above' | 'before'>

  /** Publishes events that are not stored anywhere (typing, presence): lost when Redis is away. */
  announce(emissions: readonly Emission[]): void

  /**
   * Calls back, in feed order and on every worker, for each entry that passes, before it is delivered: caches hear of
   * changes this way.
   */
  onEntry(listener: (entry: HeardEntry) => void): void

  /** Ends what this worker holds for a user whose key was revoked or whose account is deactivated: 4001 for its sockets. */
  revoke(userId: number): void

  /** The queues that this worker owns, and what else a status page wants. */
  stats(): RealtimeStats
}

/** An entry of the feed, as caches look at it. */
export interface HeardEntry {
  readonly name: string
  readonly payload: object
  readonly audience: { ids(): Iterable<number> }
}

export interface OutboxedEmission {
  /** As encoded by `encodeEmission`. */
  readonly entry: Uint8Array
  readonly outboxId: number
  /** Transaction id, as text. */
  readonly xid: string
  /** Message id that the insert gave: goes into `payload.message.id`. */
  readonly messageId?: number
  /** Whom to tell once it is in the feed; not stored. */
  readonly trace?: Trace
}

export interface RealtimeStats {
  readonly queues: number
  readonly attached: number
  readonly polls: number
  /** Of the attached: those whose socket is full or catching up. */
  readonly behind: number
  readonly pendingEntries: number
  /** Events of committed writes that wait to be put into the feed. */
  readonly unpublished: number
  readonly feedId: number
}
