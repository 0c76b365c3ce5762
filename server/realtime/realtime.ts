import type { View } from '../../shared/capabilities.js'
import type { CloseCode } from '../../shared/wire/close-codes.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { Trace } from '../log.js'
import type { QueueNarrow } from '../narrow/grammar/queue-narrow.js'
import type { Emission } from './emission.js'

/** The options with which a client registered its queue. Redis stores them, so that any worker can continue the queue. */
export interface QueueOptions {
  readonly userId: number
  readonly view: View
  /** Event types that the queue accepts; null: all. Heartbeats are always sent. */
  readonly eventTypes: readonly string[] | null
  readonly narrow: QueueNarrow | null
  /** The queue also gets message events of public channels to which the user is not subscribed. */
  readonly allPublicStreams: boolean
  /** The idle timeout in seconds. */
  readonly idleSeconds: number
}

/** The state of the database that a register answer shows, as `pg_current_snapshot()::text` of the transaction that read it. */
export type Snapshot = string

/** How frames are encoded: for a socket by its codec, for a stream as server-sent events. */
export type FrameForm = Codec | 'event-stream'

/**
 * A socket, or a stream of server-sent events, to which the engine sends the events of a queue. The engine calls it from its own turns of
 * the event loop, never inside a request handler.
 */
export interface EventSocket {
  readonly codec: FrameForm
  /** Sends one frame. False: the socket has buffered it but is full; the engine waits for `Attachment.drained()`. */
  send(frame: Uint8Array | string): boolean
  /** Bytes that the socket has buffered and not sent. */
  buffered(): number
  close(code: CloseCode, reason: string): void
}

/** A socket's attachment to a queue. */
export interface Attachment {
  readonly queueId: string
  /** @throws {ApiError} BAD_REQUEST if the queue never issued the id. */
  acknowledge(lastEventId: number): void
  /** The socket calls this when its buffer has room again. */
  drained(): void
  /** Stops delivery and keeps the queue; its idle timeout starts. Also called when the socket has closed. */
  detach(): void
}

export interface PollAnswer {
  readonly queueId: string
  /** The JSON text of each event, in order. */
  readonly events: readonly string[]
  /** The field `"events":[…]` of the reply. Polls with the same events share these bytes, so they must not be changed. */
  readonly field: Uint8Array
}

/** Gets the outcome of a poll: one call, in a later turn of the event loop than that of the poll. */
export interface PollReceiver {
  answered(answer: PollAnswer): void
  failed(error: Error): void
}

/** A receiver that may have to wait. */
export interface WaitingReceiver extends PollReceiver {
  readonly signal: RequestSignal
}

/** Signals that the client of a poll has disconnected. A real AbortSignal would cost more than the rest of the poll. */
export interface RequestSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
}

/**
 * The event engine of one worker: publishes events, and delivers queues to their consumers. Redis holds everything that a queue
 * needs, so any worker serves any queue: a worker takes a queue over when a client polls or attaches there.
 */
export interface Realtime {
  /**
   * Creates a queue, and reads the state that its events continue. The queue receives entries from before the call of `read`; events
   * whose transaction the snapshot shows are excluded, none if the snapshot is null. If the queue cannot be kept complete meanwhile,
   * it is evicted and the registration starts again with a new one, so `read` may be called several times.
   * @throws {ApiError} SERVER_NOT_READY if no queue could be kept complete, or the worker drains; RATE_LIMIT_HIT; UNAUTHORIZED if
   *   the user was revoked meanwhile; and any error of `read`. In each case no queue remains.
   */
  register<State extends { readonly snapshot: Snapshot | null }>(
    options: QueueOptions,
    read: () => Promise<State>,
  ): Promise<{ queueId: string; state: State }>

  /**
   * Creates a queue of the events after an earlier one, which `isInFeed`. No worker owns it until it is polled; the first poll, with -1, fails
   * with BAD_EVENT_QUEUE_ID if the feed no longer holds all of its events. Those of the entry of this event come again.
   */
  registerAfter(options: QueueOptions, eventId: number): Promise<string>

  /** Whether the feed still holds the event, so that all later ones can be delivered. 0: the beginning of a feed that was never trimmed. */
  isInFeed(eventId: number): Promise<boolean>

  /**
   * Acknowledges `lastEventId` and returns the events after it; waits for one unless `dontBlock`. After HEARTBEAT_SECONDS a
   * heartbeat event ends the wait. A newer poll or attach on the same queue ends it at once with an empty answer.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID (queue unknown, evicted, or of another user) or BAD_REQUEST (the id was never issued, or
   *   is below an acknowledged one).
   */
  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    options: { dontBlock: boolean; signal: RequestSignal },
  ): Promise<PollAnswer>

  /**
   * As `poll` without `dontBlock`, for a queue that this worker can serve at once: no promise. False: nothing has changed, and only
   * `poll` finds out whether the queue exists and whether its client may acknowledge the id.
   */
  pollHere(queueId: string, userId: number, lastEventId: number, receiver: WaitingReceiver): boolean

  /**
   * Delivers everything after `lastEventId` to the socket, then new events. The first frame is sent in a later turn of the event
   * loop than the one in which the promise resolves, so that the caller's reply is sent first.
   * @throws {ApiError} as `poll`.
   */
  attach(queueId: string, userId: number, lastEventId: number, socket: EventSocket): Promise<Attachment>

  /**
   * Deletes a queue: a waiting poll ends with BAD_EVENT_QUEUE_ID, an attached socket with 4010.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID if the user has no such queue.
   */
  drop(queueId: string, userId: number): Promise<void>

  /**
   * Publishes the events of a committed transaction. Returns at once: the order among calls is kept, and publishing is retried; if
   * this worker dies, another worker publishes the rows from the outbox.
   */
  publish(emissions: readonly OutboxedEmission[]): void

  /** As `publish`, but after all outbox rows that are not in the feed yet: the events wait for an outbox sweep. */
  publishBehindOutbox(emissions: readonly OutboxedEmission[]): void

  /** The outbox rows that a transaction has to publish before its own. */
  readonly knownRows: RowsBefore

  /** Publishes ephemeral events (typing, presence): they have no outbox row and are lost while Redis is unavailable. */
  announce(emissions: readonly Emission[]): void

  /**
   * Calls `listener` for each entry that this worker's tail reads, in feed order and before delivery. Every worker reads every
   * entry, so caches use this to invalidate what has changed.
   */
  onEntry(listener: (entry: ReceivedEntry) => void): void

  /** Ends the user's queues on this worker after a deactivation or a revoked key: attached sockets close with 4001. */
  revoke(userId: number): void

  /** Ends all queues on this worker, half a second later, when their clients have the events that say why. Resolves then. */
  endAll(): Promise<void>

  /**
   * Has all other workers give up their directory leases, before a transaction that changes the directory commits. False: a worker has
   * not answered within `waitMs`. Does not reject.
   */
  recallDirectories(waitMs: number): Promise<boolean>

  /** Calls `listener` when another worker recalls the directory lease of this one. */
  onDirectoryRecall(listener: () => void): void

  /**
   * Has all other workers refuse the former keys of these users and end their queues, after the commit of a revocation. False: a worker
   * has not done so within `waitMs`. Does not reject.
   */
  revokeElsewhere(userIds: readonly number[], waitMs: number): Promise<boolean>

  /** Calls `listener`, the only one, when another worker has revoked what these users had; that worker waits for its promise. */
  onRevocation(listener: (userIds: readonly number[]) => Promise<void>): void

  /**
   * Calls `listener`, the only one, when the last queue of a user at this worker that receives messages was idle for too long, with the time
   * (ms) since when. The queue ends when its promise resolves.
   */
  onLastCollected(listener: (userId: number, idleSince: number) => Promise<void>): void

  /** Whether recalls of other workers include this worker for `forMs` ms: Redis has confirmed lately that it knows it. */
  isReachable(forMs: number): boolean

  /** Numbers about the queues of this worker and its place in the feed, for status pages. */
  stats(): RealtimeStats
}

/** The outbox rows that are in the feed or on their way there, as far as this worker knows. */
export interface RowsBefore {
  /** Only rows above this id have to be read: each row up to it is in the feed, is being published, or will never exist. */
  readonly above: number
  /** The row to which `above` rises next; a transaction passes on the value from before its beginning. */
  readonly noted: number
  /** Ids of the rows to publish before those of the transaction that saw them; null: too many to read in the transaction. */
  before(rows: EarlierRows): readonly number[] | null
}

/** Committed outbox rows that are visible to a transaction when it inserts its own rows. */
export interface EarlierRows {
  /** Ascending, all above the id that the query named. */
  readonly ids: readonly number[]
  /** False: the outbox holds further rows, with higher ids. */
  readonly isAll: boolean
  /** All transactions below this id had ended when the rows were read. */
  readonly ended: number
  /** Id of the transaction that saw them. */
  readonly xid: number
  /** `RowsBefore.noted` before that transaction began. */
  readonly noted: number
}

/** A feed entry as listeners of `onEntry` get it. */
export interface ReceivedEntry {
  readonly name: string
  /** Decoded when it is read. */
  readonly payload: object
  readonly audience: { ids(): Iterable<number> }
}

export interface OutboxedEmission {
  /** As encoded by `encodeEmission`. */
  readonly entry: Uint8Array
  readonly outboxId: number
  /** Transaction id, as text. */
  readonly xid: string
  /** Message id that the insert assigned; decoding puts it into `payload.message.id`. */
  readonly messageId?: number
  /** The trace of the request, which gets the event id after publishing; not stored. */
  readonly trace?: Trace
}

export interface RealtimeStats {
  readonly queues: number
  readonly attached: number
  readonly polls: number
  /** Attached sockets that are full or catching up. */
  readonly behind: number
  readonly pendingEntries: number
  /** Events that wait in this worker's memory to be published. */
  readonly unpublished: number
  readonly feedId: number
}

/** The outbox in PostgreSQL: it holds the events of committed transactions until the feed holds them safely. The store implements it. */
export interface Outbox {
  /**
   * Ids of rows with ids above `above` and an age of at least `olderThanMs`, lowest first, at most `limit`. It returns ids only,
   * because most rows are published already and wait for deletion.
   */
  pending(olderThanMs: number, limit: number, above: number): Promise<number[]>
  /** The rows among `ids` that still exist, lowest id first. */
  read(ids: readonly number[]): Promise<OutboxedEmission[]>
  /** Deletes rows whose events the feed holds safely. */
  published(ids: readonly number[]): Promise<void>
}
