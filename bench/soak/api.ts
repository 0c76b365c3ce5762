import { Agent, type ClientRequest, request } from 'node:http'
import type { Account } from '../lib/load-protocol.js'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

type Params = Readonly<Record<string, unknown>>

// In ms; shorter than the server's keep-alive timeout.
const restMs = 4_000
// In ms; longer than a long poll waits for its first event.
const timeoutMs = 120_000

/** The API over kept-alive connections. */
export class Api {
  readonly #agent = new Agent({ keepAlive: true, timeout: restMs })

  #isClosed = false

  constructor(private readonly url: URL) {}

  /** Returns any answer. */
  async ask(who: Account, method: string, path: string, params: Params = {}): Promise<Answer> {
    for (;;) {
      const call = this.#begin(who, method, path, method === 'GET' ? formOf(params) : '')
      try {
        return await answerOf(call, method === 'GET' ? undefined : formOf(params))
      } catch (error) {
        // The server closed an idle connection just before this request, and has not read the request.
        const isStale = !this.#isClosed && call.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        if (!isStale) throw new Error(`${method} ${path}: ${(error as Error).message}`)
      }
    }
  }

  /** @throws for any status but 200. */
  async call(who: Account, method: string, path: string, params?: Params): Promise<Answer['body']> {
    const { status, body } = await this.ask(who, method, path, params)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Closes also connections that wait for an answer. */
  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
  }

  #begin({ email, api_key }: Account, method: string, path: string, query: string): ClientRequest {
    const { hostname: host, port } = this.url
    const headers = {
      authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
      'user-agent': 'ParleySoak/1.0',
      ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const target = `/api/v1${path}${query && `?${query}`}`
    return request({ agent: this.#agent, host, port, path: target, method, headers, timeout: timeoutMs })
  }
}

function answerOf(call: ClientRequest, form: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Answer['body']
        resolve({ status: response.statusCode ?? 0, body })
      })
    })
    call.on('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    call.on('error', reject)
    if (form !== undefined) call.setHeader('content-length', Buffer.byteLength(form))
    call.end(form)
  })
}

const formOf = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()
