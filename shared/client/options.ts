import type { Codec } from '../wire/codec.js'
import type { AckOptions } from './acknowledgements.js'
import type { BackoffOptions } from './backoff.js'
import type { AnyEvent } from './events.js'
import type { Position } from './notices.js'
import type { WebSocketClass } from './web-socket.js'

/** Parameters as plain values; arrays and objects need no encoding. */
export type Params = Readonly<Record<string, unknown>>

export interface ConnectOptions {
  /** Base address of the server: `https://chat.example`. */
  readonly url: string
  /** Without email and API key the client is a spectator, if the organization admits spectators. */
  readonly email?: string
  readonly apiKey?: string
  /** For a page of the server itself: its session authenticates it, by the cookie of the browser, in place of email and API key. */
  readonly bySession?: boolean
  /**
   * Called when the server no longer accepts the API key, for example because the user has regenerated it. Resolves with the key to
   * continue with; undefined ends the client (`unauthenticated`). The queue of the former key is gone, so the client registers again.
   */
  readonly renewedKey?: (rejected: string) => Promise<string | undefined>
  /** Default `json`, because the JSON parser of a browser is native code. */
  readonly codec?: Codec
  /**
   * Asks the server to compress large replies, where the platform can decompress them: for slow networks. Default false, because over a fast
   * network it costs more time than it saves.
   */
  readonly isCompressed?: boolean
  /** Default: the platform's class. */
  readonly webSocket?: WebSocketClass
  /** Parameters of `register` (docs/protocol/register.md#parameters); the client registers a queue with them at once; with `resume` only if that queue is gone. */
  readonly register?: Params
  /** Resumes a queue that an earlier client left at this position. */
  readonly resume?: Position
  /** Every event, whatever its type; the same as `on('*', …)`. */
  readonly onEvent?: (event: AnyEvent) => unknown
  readonly ack?: AckOptions
  readonly backoff?: BackoffOptions
  /** Bound of the events that wait for a slow application; the server keeps the others. Default 5000. */
  readonly bufferEvents?: number
  /** Timeout of opening a socket, of each reply, and of a request that waits for a connection. Default 30 s. */
  readonly timeoutMs?: number
  /** Default 90 s, the event_queue_longpoll_timeout_seconds that the server announces. */
  readonly silenceMs?: number
}
