import type { EventDef } from '../../shared/events/event.js'

/** Ids of exactly the users who receive the event, as of the transaction; ascending, without repeats. */
export type Audience = readonly number[]

/** An event that an action emits. */
export interface Emission<Payload extends object = object> {
  readonly def: EventDef<Payload>
  readonly payload: Payload
  readonly audience: Audience
  /** The result of `encodeAudience(audience)`, if the caller already has it. */
  readonly audienceBytes?: Uint8Array
  /** Additional fields of the wire form for a part of the audience, for example a message's `flags`. */
  readonly perUser?: readonly { readonly users: Audience; readonly fields: Record<string, unknown> }[]
  /** Users who may read the channel: of their queues, those registered with all_public_streams also receive the event. */
  readonly publicReaders?: Audience
  /** Additional fields for one queue, if it belongs to the user: `local_message_id` for the client that sent the message. */
  readonly local?: Local
}

export interface Local {
  readonly queueId: string
  readonly userId: number
  readonly fields: Record<string, unknown>
}

export type EmitOptions = Pick<Emission, 'perUser' | 'publicReaders' | 'local'>

/** Adds an event to the running transaction; it is published after the commit. */
export type Emit = <Payload extends object>(
  def: EventDef<Payload>,
  payload: Payload,
  audience: Audience,
  options?: EmitOptions,
) => void

/** An `Emit` that adds to a list. An event without an audience is dropped, unless queues with all_public_streams receive it. */
export function emitTo(emissions: { push(emission: Emission): unknown }): Emit {
  return (def, payload, audience, options) => {
    if (audience.length === 0 && !options?.publicReaders?.length) return
    emissions.push({ def, payload, audience, ...options } as Emission)
  }
}
