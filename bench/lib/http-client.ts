import { Agent, request } from 'node:http'
import { request as requestSecurely, Agent as SecureAgent } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Account, authorizationOf } from './load-protocol.js'

export interface HttpAnswer {
  readonly status: number
  readonly ms: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Where clients reach the server, on this machine. */
export interface ServerAddress {
  readonly port: number
  /** The certificate of a proxy with TLS in front of it. */
  readonly ca?: string
}

export interface Sending {
  readonly method: string
  /** From the root of the server. */
  readonly path: string
  /** null: no credentials. */
  readonly who: Pick<Account, 'email' | 'api_key'> | null
  /** Chunks are written as fast as the server reads them; their length is in `headers`. */
  readonly body?: string | Uint8Array | Iterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string | number>>
  /** Ends the request, also while the server works on it. */
  readonly signal?: AbortSignal
}

export type Params = Readonly<Record<string, unknown>>

// In ms; shorter than the server's keep-alive timeout.
const restMs = 4000
// In ms; longer than a long poll waits for its first event.
const timeoutMs = 120_000

/** HTTP over kept-alive connections. */
export class HttpClient {
  private readonly agent: Agent
  private isClosed = false

  constructor(
    readonly server: ServerAddress,
    /** `localAddress`: in 127.0.0.0/8, so that limits per address treat clients separately. */
    readonly options: { readonly localAddress?: string; readonly connections?: number } = {},
  ) {
    const kept = { keepAlive: true, timeout: restMs, maxSockets: options.connections ?? Number.POSITIVE_INFINITY }
    this.agent = server.ca === undefined ? new Agent(kept) : new SecureAgent({ ...kept, ca: server.ca })
  }

  /** Asks one operation of the API, below /api/v1. */
  ask(who: Sending['who'], method: string, path: string, params: Params = {}): Promise<HttpAnswer> {
    const form = formOf(params)
    if (method === 'GET') return this.send({ who, method, path: `/api/v1${path}${form && `?${form}`}` })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.send({ who, method, path: `/api/v1${path}`, headers, body: form })
  }

  /** The same. @throws unless it is answered with 200 */
  async call(who: Account, method: string, path: string, params?: Params): Promise<Record<string, unknown>> {
    return jsonOf(await this.ask(who, method, path, params), `${method} ${path}`)
  }

  async send(sending: Sending): Promise<HttpAnswer> {
    const { method, path, who, body = '', headers = {}, signal } = sending
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    const options = {
      ...{ host: '127.0.0.1', port: this.server.port, agent: this.agent, method, path, timeout: timeoutMs },
      ...(this.options.localAddress && { localAddress: this.options.localAddress }),
      headers: {
        ...(isWhole && { 'Content-Length': Buffer.byteLength(body) }),
        'User-Agent': 'ParleyBench/1.0',
        ...(who && { Authorization: authorizationOf(who) }),
        ...headers,
      },
      ...(signal && { signal }),
    }
    const begin = performance.now()
    const outgoing = (this.server.ca === undefined ? request : requestSecurely)(options)
    const answered = new Promise<HttpAnswer>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)))
      outgoing.on('response', response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: got } = response
          resolve({ status, ms: performance.now() - begin, body: Buffer.concat(chunks), headers: got })
        })
      })
      if (isWhole) outgoing.end(body)
      else pipeline(Readable.from(body), outgoing).catch(reject)
    })
    return answered.catch(error => {
      // The server closed an idle connection just before this request, and has not read the request.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (!isStale || !isWhole || this.isClosed) throw error
      return this.send(sending)
    })
  }

  /** Closes also connections that wait for an answer. */
  end(): void {
    this.isClosed = true
    this.agent.destroy()
  }
}

/** The JSON of an answer. @throws unless its status is 200 */
export function jsonOf({ status, body }: HttpAnswer, what: string): Record<string, unknown> {
  if (status !== 200) throw new Error(`${what}: ${status} ${body.toString().slice(0, 500)}`)
  return JSON.parse(body.toString())
}

export const formOf = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
