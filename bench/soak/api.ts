import { Agent, request } from 'node:http'
import type { Account } from '../lib/load-protocol.js'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

// Longer than a long poll waits for its first event: whoever hears nothing by then never will.
const timeoutMs = 120_000

/** The API over kept-alive connections. */
export class Api {
  readonly #agent = new Agent({ keepAlive: true })

  constructor(private readonly url: URL) {}

  /** Any answer. */
  ask(who: Account, method: string, path: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ).toString()
    const hasBody = method !== 'GET'
    const { hostname: host, port } = this.url
    const headers: Record<string, string | number> = {
      authorization: `Basic ${Buffer.from(`${who.email}:${who.api_key}`).toString('base64')}`,
      'user-agent': 'ParleySoak/1.0',
    }
    if (hasBody) {
      headers['content-type'] = 'application/x-www-form-urlencoded'
      headers['content-length'] = Buffer.byteLength(form)
    }
    const target = `/api/v1${path}${!hasBody && form ? `?${form}` : ''}`
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host, port, path: target, method, headers, timeout: timeoutMs }
      const call = request(options, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] })
        })
      })
      call.on('timeout', () => call.destroy(new Error(`${method} ${path}: no answer within ${timeoutMs} ms`)))
      call.on('error', reject)
      call.end(hasBody ? form : undefined)
    })
  }

  /** @throws for any answer but 200. */
  async call(who: Account, method: string, path: string, params?: Readonly<Record<string, unknown>>) {
    const { status, body } = await this.ask(who, method, path, params)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  close(): void {
    this.#agent.destroy()
  }
}
