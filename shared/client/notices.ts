import type { EndReason } from './closing.js'

/**
 * connecting: no queue yet. live: events come as they happen. resuming: the connection broke, the queue waits at the
 * server. closed: for good.
 */
export type State = 'connecting' | 'live' | 'resuming' | 'closed'

export interface StateChange {
  readonly state: State
  /** Of `closed`: why. */
  readonly reason?: EndReason
  /** Of `connecting` and `resuming`: the next attempt is made after so many milliseconds, or at once with `retry()`. */
  readonly retryInMs?: number
  /** Beside `retryInMs`: how the connection so far, or the attempt, ended (docs/protocol/socket.md#closing-codes). */
  readonly closed?: { readonly code: number; readonly reason: string }
}

/** The answer of `register` (docs/protocol/register.md#fields), with the fields that were asked for. */
export interface Registered {
  readonly queue_id: string
  readonly last_event_id: number
  readonly [field: string]: unknown
}

/** What a client tells about itself. */
export interface Notices {
  state: StateChange
  /**
   * The queue was lost and a new one registered: between the last event of the old one and `registered` is a gap. Its place
   * among the events is exact, so replace what you know by `registered` here, and go on.
   */
  restarted: Registered
  /** A listener threw, or the server could not read a frame, or refused to register anew. */
  error: unknown
}

/** How far an application has come: enough to go on with the queue elsewhere or later. */
export interface Position {
  readonly queueId: string
  /** The last event that was handled. */
  readonly lastEventId: number
}
