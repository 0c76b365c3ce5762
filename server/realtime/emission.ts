import type { EventDef } from '../../shared/events/event.js'

/** User ids, ascending, without repeats: exactly those who get the event, as of the write. */
export type Audience = readonly number[]

/** What an action says happened. */
export interface Emission<Payload extends object = object> {
  readonly def: EventDef<Payload>
  readonly payload: Payload
  readonly audience: Audience
  /** The same as `encodeAudience` gives it, from whoever has it already. */
  readonly audienceBytes?: Uint8Array
  /** For some of the audience the wire form has these fields in addition (a message's `flags`, for example). */
  readonly perUser?: readonly { readonly users: Audience; readonly fields: Record<string, unknown> }[]
  /** Also, of these users, to the queues that were registered with all_public_streams: those who may read the channel. */
  readonly publicReaders?: Audience
  /** These fields only in the queue named, if it is that user's (`local_message_id` for the client that sent the message). */
  readonly local?: Local
}

export interface Local {
  readonly queueId: string
  readonly userId: number
  readonly fields: Record<string, unknown>
}

export type EmitOptions = Pick<Emission, 'perUser' | 'publicReaders' | 'local'>

/** Collects an event; it is published when the transaction that it tells of has committed. */
export type Emit = <Payload extends object>(
  def: EventDef<Payload>,
  payload: Payload,
  audience: Audience,
  options?: EmitOptions,
) => void
