import type { EndReason } from './closing.js'

/**
 * connecting: no queue yet. live: attached; events arrive as they happen. resuming: the connection broke, the server
 * keeps the queue. closed: final.
 */
export type State = 'connecting' | 'live' | 'resuming' | 'closed'

export interface StateChange {
  readonly state: State
  /** Only of `closed`: why. */
  readonly reason?: EndReason
  /** Only of `connecting` and `resuming`: the next attempt follows after this many ms, or at once after `retry()`. */
  readonly retryInMs?: number
  /** With `retryInMs`: how the last connection or attempt ended (docs/protocol/socket.md#closing-codes). */
  readonly closed?: { readonly code: number; readonly reason: string }
}

/** The answer of `register` (docs/protocol/register.md#fields), with the fields that the client requested. */
export interface Registered {
  readonly queue_id: string
  readonly last_event_id: number
  readonly [field: string]: unknown
}

/** The notices of a client about itself. */
export interface Notices {
  state: StateChange
  /**
   * The server lost the queue and the client registered a new one: events after the last event of the old queue are
   * missing. The notice comes in order with the events, so the listener replaces its state with `registered`.
   */
  restarted: Registered
  /** A listener threw, the server could not read a frame, or it refused to register a new queue. */
  error: unknown
}

/** A queue and the last handled event of an application: enough to resume the queue later or elsewhere. */
export interface Position {
  readonly queueId: string
  /** The last handled event. */
  readonly lastEventId: number
}
