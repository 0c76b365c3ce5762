import { Agent, request } from 'node:http'
import type { Account } from '../lib/load-protocol.js'

export interface ClientAnswer {
  readonly status: number
  readonly ms: number
  readonly body: Buffer
}

/** A client with its own loopback address, so that limits per address treat it separately. */
export class Client {
  readonly #agent: Agent

  constructor(
    readonly port: number,
    /** An address in 127.0.0.0/8. */
    readonly localAddress: string,
    readonly account: Account,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 })
  }

  /** @param key null: no credentials; otherwise replaces the account's API key. */
  call(method: string, path: string, body: string, key: string | null = this.account.api_key): Promise<ClientAnswer> {
    const begin = performance.now()
    const { port, localAddress } = this
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'ParleyBench/1.0',
      ...(key === null ? {} : { Authorization: `Basic ${btoa(`${this.account.email}:${key}`)}` }),
    }
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        localAddress,
        agent: this.#agent,
        method,
        path: `/api/v1${path}`,
        headers,
      }
      const outgoing = request(options, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0 } = response
          resolve({ status, ms: performance.now() - begin, body: Buffer.concat(chunks) })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  form(
    method: string,
    path: string,
    params: Readonly<Record<string, unknown>>,
    key?: string | null,
  ): Promise<ClientAnswer> {
    return this.call(method, path, formOf(params), key)
  }
}

const formOf = (params: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  ).toString()
