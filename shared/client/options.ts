import type { Codec } from '../wire/codec.js'
import type { AckOptions } from './acknowledgements.js'
import type { BackoffOptions } from './backoff.js'
import type { AnyEvent } from './events.js'
import type { Position } from './notices.js'
import type { WebSocketClass } from './web-socket.js'

/** Parameters as plain values: arrays and objects as they are. */
export type Params = Readonly<Record<string, unknown>>

export interface ConnectOptions {
  /** Base address of the server: `https://chat.example`. */
  readonly url: string
  /** Without both: a visitor, where the organization allows that. */
  readonly email?: string
  readonly apiKey?: string
  /** Default `json`: a browser's own parser is hard to beat. */
  readonly codec?: Codec
  /** Default: the platform's. */
  readonly webSocket?: WebSocketClass
  /** Registers a queue at once, with these parameters of `register` (docs/protocol/register.md#parameters). */
  readonly register?: Params
  /** Goes on with a queue that an earlier client left at this position. */
  readonly resume?: Position
  /** Every event, whatever its type; the same as `on('*', …)`. */
  readonly onEvent?: (event: AnyEvent) => unknown
  readonly ack?: AckOptions
  readonly backoff?: BackoffOptions
  /** Events that wait for a slow application; beyond them the server keeps them. Default 5000. */
  readonly bufferEvents?: number
  /** For the opening, for each reply, and for a request to find a connection. Default 30 s. */
  readonly timeoutMs?: number
  /** Default 90 s: what the server announces as event_queue_longpoll_timeout_seconds. */
  readonly silenceMs?: number
}
