import { checkAnswer } from './conformance.js'
import { type Answer, type Api, basic, formEncode, type Params } from './http.js'

export interface KeyedAnswer extends Answer {
  /** The body as it was sent. */
  readonly text: string
}

/** Sends a POST with an `Idempotency-Key`, and validates the answer with the operation's declaration. Undefined: no key. */
export async function postKeyed(
  { url, who }: Api,
  path: string,
  sent: Params | FormData,
  key: string | undefined,
): Promise<KeyedAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { ...(who && { Authorization: basic(who) }), ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: sent instanceof FormData ? sent : formEncode(sent),
  })
  const text = await response.text()
  const { status, headers } = response
  const body = JSON.parse(text)
  const problems = checkAnswer({ method: 'POST', path, status, body })
  if (problems.length > 0) throw new Error(`POST ${path}: not as declared: ${problems.join('; ')}`)
  return { status, headers, body, text }
}
