import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { basic, formEncode, type Params } from '../../support/http.js'
import type { Person } from '../../support/people.js'

interface CallResult {
  /** 0: no answer. */
  readonly status: number
  readonly body: Record<string, unknown>
  /** Why there was no answer. */
  readonly failure?: string
}

/** One request with minimal overhead: these tests send thousands, and other tests check the answers. Never rejects. */
export async function call(
  { url, who }: Person,
  method: string,
  path: string,
  { params, signal }: { readonly params: Params; readonly signal?: AbortSignal },
): Promise<CallResult> {
  const form = formEncode(params)
  try {
    const response = await fetch(`${url}/api/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
      method,
      headers: who ? { Authorization: basic(who) } : {},
      ...(method === 'GET' ? {} : { body: form }),
      ...(signal ? { signal } : {}),
    })
    const { status } = response
    return { status, body: (await response.json()) as Record<string, unknown> }
  } catch (error) {
    return { status: 0, body: {}, failure: reasonOf(error) }
  }
}

/** The same over a new connection. */
export function callOnce(
  { url, who }: Person,
  method: string,
  path: string,
  { params, signal }: { readonly params: Params; readonly signal: AbortSignal },
): Promise<CallResult> {
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(who ? { Authorization: basic(who) } : {}),
  }
  return new Promise(resolve => {
    const failed = (error: Error & { code?: string }) =>
      resolve({ status: 0, body: {}, failure: `${error.code}: ${error.message}` })
    const asked = request(`${url}/api/v1${path}`, { method, headers, signal, agent: false }, answer => {
      answer.on('error', failed)
      json(answer).then(body => resolve({ status: answer.statusCode ?? 0, body: body as CallResult['body'] }), failed)
    })
    asked.on('error', failed)
    asked.end(formEncode(params).toString())
  })
}

/** `fetch failed` is no reason: the cause contains it. */
function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: Error & { code?: string } }
  return cause ? `${cause.code ?? cause.name}: ${cause.message}` : `${name}: ${message}`
}
