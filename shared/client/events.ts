import type { KnownEvent } from '../events/index.js'
import type { WireEvent } from '../wire/frames.js'

/** Any event. Narrow it by `type`, or listen to one type: `on('message', …)`. */
export type AnyEvent = WireEvent

/** The event types of this version of the server (docs/protocol/events.md). */
export type KnownType = KnownEvent['type']

/** The event of a type, `*` for any. Where a type has several forms, `op` distinguishes them. */
export type EventOf<Type extends string> = Type extends KnownType ? Extract<KnownEvent, { type: Type }> : AnyEvent
