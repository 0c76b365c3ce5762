import type { Connection } from './connection.js'
import type { Params } from './options.js'
import { closedError, RequestError } from './request-error.js'

type Body = Record<string, unknown>

interface Waiting {
  send(connection: Connection): void
  fail(error: RequestError): void
}

/** Requests go out over the connection there is; while there is none they wait for the next one. */
export class Requests {
  #connection: Connection | undefined
  #isClosed = false
  readonly #waiting = new Set<Waiting>()

  constructor(private readonly timeoutMs: number) {}

  /** @throws {RequestError} */
  ask(method: string, path: string, params: Params): Promise<Body> {
    const frame = { op: 'request', method, path, params: defined(params) } as const
    if (this.#isClosed) return Promise.reject(closedError())
    if (this.#connection) return this.#connection.ask(frame)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
      }
      const waiting: Waiting = {
        send(connection) {
          leave()
          connection.ask(frame).then(resolve, reject)
        },
        fail(error) {
          leave()
          reject(error)
        },
      }
      const late = new RequestError('NOT_CONNECTED', `no connection within ${this.timeoutMs} ms`)
      const timer = setTimeout(() => waiting.fail(late), this.timeoutMs)
      this.#waiting.add(waiting)
    })
  }

  /** Undefined: there is none at present. */
  use(connection: Connection | undefined): void {
    this.#connection = connection
    if (connection) for (const waiting of [...this.#waiting]) waiting.send(connection)
  }

  close(): void {
    this.#isClosed = true
    this.#connection = undefined
    for (const waiting of [...this.#waiting]) waiting.fail(closedError())
  }
}

/** JSON drops what is undefined, MessagePack would say null. */
export function defined(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}
