import { ApiError } from '../../shared/errors.js'
import { checkAnswer, routeOf } from './conformance.js'
import { recordCall } from './coverage.js'

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

export type Params = Record<string, unknown>

export interface Credentials {
  readonly email: string
  readonly api_key: string
}

export const basic = ({ email, api_key }: Credentials): string =>
  `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`

/** Encodes parameters as clients do: strings raw, others as JSON; undefined is left out. */
export function formEncode(params: Params): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

/** Calls operations over HTTP. Every answer is validated with the operation's declaration. */
export class Api {
  constructor(
    readonly url: string,
    readonly who: Credentials | null,
    readonly userAgent = 'ParleyTest/1.0',
  ) {}

  async call(method: string, path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
    const form = formEncode(params)
    const inQuery = method === 'GET' || method === 'HEAD'
    const headers: Record<string, string> = { 'User-Agent': this.userAgent }
    if (this.who) headers.Authorization = basic(this.who)
    const response = await fetch(`${this.url}/api/v1${path}${inQuery && form.size ? `?${form}` : ''}`, {
      method,
      headers,
      redirect: 'manual',
      ...(inQuery ? {} : { body: form }),
      ...(signal ? { signal } : {}),
    })
    const text = await response.text()
    const { status } = response
    const body = text ? JSON.parse(text) : undefined
    const problems = checkAnswer({ method, path, status, body })
    if (problems.length > 0) throw new Error(`${method} ${path}: not as declared: ${problems.join('; ')}`)
    const route = routeOf(method, path)
    if (!(route instanceof ApiError) && body !== undefined) recordCall(route, { sent: [...form], status, body })
    return { status, headers: response.headers, body }
  }

  get = (path: string, params?: Params, signal?: AbortSignal): Promise<Answer> => this.call('GET', path, params, signal)
  post = (path: string, params?: Params): Promise<Answer> => this.call('POST', path, params)
  patch = (path: string, params?: Params): Promise<Answer> => this.call('PATCH', path, params)
  put = (path: string, params?: Params): Promise<Answer> => this.call('PUT', path, params)
  delete = (path: string, params?: Params): Promise<Answer> => this.call('DELETE', path, params)

  /** The same, but fails the test unless the answer is a success. */
  async ok(method: string, path: string, params?: Params): Promise<Answer['body']> {
    const answer = await this.call(method, path, params)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
