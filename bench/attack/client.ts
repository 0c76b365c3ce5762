import { Agent, request } from 'node:http'
import { request as requestSecurely, Agent as SecureAgent } from 'node:https'
import type { Account } from '../lib/load-protocol.js'

export interface ClientAnswer {
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
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** null: no credentials; otherwise replaces the account's API key. */
  readonly key?: string | null
  /** Ends the request, also while the server works on it. */
  readonly signal?: AbortSignal
}

/** A client with its own loopback address, so that limits per address treat it separately. */
export class Client {
  readonly #agent: Agent

  constructor(
    readonly server: ServerAddress,
    /** An address in 127.0.0.0/8. */
    readonly localAddress: string,
    readonly account: Account,
    connections = 1,
  ) {
    const options = { keepAlive: true, maxSockets: connections }
    this.#agent = server.ca === undefined ? new Agent(options) : new SecureAgent({ ...options, ca: server.ca })
  }

  /** The same client with several connections. */
  withConnections(count: number): Client {
    return new Client(this.server, this.localAddress, this.account, count)
  }

  /** Closes the connections. */
  end(): void {
    this.#agent.destroy()
  }

  /** Sends a form to a path below /api/v1. */
  call(method: string, path: string, body: string, key: string | null = this.account.api_key): Promise<ClientAnswer> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.send({ method, path: `/api/v1${path}`, body, headers, key })
  }

  form(
    method: string,
    path: string,
    params: Readonly<Record<string, unknown>>,
    key?: string | null,
  ): Promise<ClientAnswer> {
    return this.call(method, path, formOf(params), key)
  }

  send({ method, path, body = '', headers = {}, key = this.account.api_key, signal }: Sending): Promise<ClientAnswer> {
    const begin = performance.now()
    const { server, localAddress } = this
    const options = {
      host: '127.0.0.1',
      port: server.port,
      localAddress,
      agent: this.#agent,
      method,
      path,
      headers: {
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'ParleyBench/1.0',
        ...(key === null ? {} : { Authorization: `Basic ${btoa(`${this.account.email}:${key}`)}` }),
        ...headers,
      },
      ...(signal && { signal }),
    }
    const ask = server.ca === undefined ? request : requestSecurely
    return new Promise((resolve, reject) => {
      const outgoing = ask(options, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, ms: performance.now() - begin, body: Buffer.concat(chunks), headers: answered })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}

const formOf = (params: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  ).toString()
