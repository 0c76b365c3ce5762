import type { ClientFrame } from '../wire/frames.js'
import type { Connection } from './connection.js'
import type { Params } from './options.js'
import { closedError, NotBegun, RequestError } from './request-error.js'

type Body = Record<string, unknown>
type RequestFrame = Extract<ClientFrame, { op: 'request' }>

interface Waiting {
  send(connection: Connection): void
  fail(error: RequestError): void
}

/** Sends requests over the present connection; without one, requests wait for the next. */
export class Requests {
  private connection: Connection | undefined
  private isClosed = false
  private readonly waiting = new Set<Waiting>()

  constructor(private readonly timeoutMs: number) {}

  /** @throws {RequestError} */
  ask(method: string, path: string, params: Params, key?: string): Promise<Body> {
    const named = key === undefined ? {} : { idempotency_key: key }
    const frame = { op: 'request', method, path, params: defined(params), ...named } as const
    if (this.isClosed) return Promise.reject(closedError())
    return this.connection ? this.over(this.connection, frame) : this.later(frame)
  }

  /** Retries a request on the next connection if a restarting server did not begin with it. */
  private async over(connection: Connection, frame: RequestFrame): Promise<Body> {
    try {
      return await connection.ask(frame)
    } catch (error) {
      if (!(error instanceof NotBegun) || this.isClosed) throw error
      if (this.connection === connection) this.connection = undefined
      return this.connection ? this.over(this.connection, frame) : this.later(frame)
    }
  }

  private later(frame: RequestFrame): Promise<Body> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.waiting.delete(waiting)
      }
      const waiting: Waiting = {
        send: connection => {
          leave()
          this.over(connection, frame).then(resolve, reject)
        },
        fail(error) {
          leave()
          reject(error)
        },
      }
      const late = new RequestError('NOT_CONNECTED', `no connection within ${this.timeoutMs} ms`)
      const timer = setTimeout(() => waiting.fail(late), this.timeoutMs)
      this.waiting.add(waiting)
    })
  }

  /** Undefined: there is no connection at present. */
  use(connection: Connection | undefined): void {
    this.connection = connection
    if (connection) for (const waiting of [...this.waiting]) waiting.send(connection)
  }

  close(): void {
    this.isClosed = true
    this.connection = undefined
    for (const waiting of [...this.waiting]) waiting.fail(closedError())
  }
}

/** JSON leaves out undefined values, MessagePack would encode them as null. */
function defined(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}
