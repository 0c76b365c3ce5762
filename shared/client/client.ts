import type { EndReason } from './closing.js'
import type { AnyEvent, EventOf, KnownType } from './events.js'
import type { Notices, Position, Registered, State } from './notices.js'
import type { Params } from './options.js'

/** A client that stays connected to one server; made by `connect`. */
export interface Client {
  readonly state: State
  /** The queue and the last handled event, for an application that stores them to resume later; undefined without a queue. */
  readonly position: Position | undefined
  /** The answer to the `register` of the options; undefined if the options have none, or name a queue to resume. */
  readonly registered: Promise<Registered> | undefined
  /** Resolves when the application or the server has closed the client. */
  readonly ended: Promise<EndReason>

  /**
   * Registers a new queue that replaces the present one; resolves with the state. The client repeats it if the
   * connection breaks meanwhile, and registers again if the server later loses the queue (`restarted`).
   * @throws {RequestError}
   */
  register(params: Params): Promise<Registered>

  /**
   * Any operation of the API: `request('POST', '/messages', { type: 'stream', to: 5, topic: 'x', content: 'hi' })`.
   * `idempotencyKey`: of a request that creates something; a repeat with the same key within ten minutes creates nothing
   * and gets the first answer.
   * @throws {RequestError} with the server's code, or CONNECTION_LOST, TIMEOUT, NOT_CONNECTED, CLOSED.
   */
  request(method: string, path: string, params?: Params, idempotencyKey?: string): Promise<Record<string, unknown>>

  /**
   * Calls the listener for each event of a type, `*` for all. If the listener returns a promise, the client waits for
   * it before it delivers the next event and before it acknowledges this one. Returns a function that removes the
   * listener.
   */
  on<Type extends KnownType | '*' | (string & {})>(type: Type, listener: (event: EventOf<Type>) => unknown): () => void

  /** All later events, for `for await`: an event counts as handled when the loop requests the next one. */
  events(): AsyncIterableIterator<AnyEvent>

  /** Calls the listener for each notice of the client about itself. Returns a function that removes the listener. */
  observe<Name extends keyof Notices>(name: Name, listener: (notice: Notices[Name]) => unknown): () => void

  /** Ends the delay before the next attempt, if there is one: for a page that detects that its network is available again. */
  retry(): void

  /** Acknowledges the handled events and closes. The server keeps the queue, and a client can resume it at `position`. */
  close(): Promise<void>
}
