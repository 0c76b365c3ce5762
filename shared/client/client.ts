import type { EndReason } from './closing.js'
import type { AnyEvent, EventOf, KnownType } from './events.js'
import type { Notices, Position, Registered, State } from './notices.js'
import type { Params } from './options.js'

/** A connected application's view of the server. Made by `connect`. */
export interface Client {
  readonly state: State
  /** How far the application has come, to be kept where it survives; undefined without a queue. */
  readonly position: Position | undefined
  /** The answer to the `register` of the options; undefined when there was none. */
  readonly registered: Promise<Registered> | undefined
  /** Resolves when the client is closed, by us or by the server. */
  readonly ended: Promise<EndReason>

  /**
   * A new queue, in place of the one so far; resolves with the state. Repeated by itself when the connection breaks
   * meanwhile, and when the server loses the queue later (`restarted`).
   * @throws {RequestError}
   */
  register(params: Params): Promise<Registered>

  /**
   * Any operation of the API: `request('POST', '/messages', { type: 'stream', to: 5, topic: 'x', content: 'hi' })`.
   * @throws {RequestError} with the server's code, or CONNECTION_LOST, TIMEOUT, NOT_CONNECTED, CLOSED.
   */
  request(method: string, path: string, params?: Params): Promise<Record<string, unknown>>

  /**
   * Calls the listener for each event of a type, `*` for all. The next event comes when a promise that it returned has
   * resolved, and only then is the event acknowledged. Returns how to stop it.
   */
  on<Type extends KnownType | '*' | (string & {})>(type: Type, listener: (event: EventOf<Type>) => unknown): () => void

  /** All events from now on, for `for await`: an event counts as handled when the next one is asked for. */
  events(): AsyncIterableIterator<AnyEvent>

  /** What the client tells about itself. Returns how to stop it. */
  observe<Name extends keyof Notices>(name: Name, listener: (notice: Notices[Name]) => unknown): () => void

  /** Ends the pause before the next attempt, if there is one: for a page that learns that its network is back. */
  retry(): void

  /** Acknowledges what was handled and closes. The queue stays, and can be resumed at `position`. */
  close(): Promise<void>
}
