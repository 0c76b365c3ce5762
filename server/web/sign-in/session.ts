import { t } from '../language/language.js'
import { refusalText } from '../language/refusal-text.js'
import { browserStorage } from '../look/browser-storage.js'

/** The signed-in user. All pages of this server share it, so signing in on one signs in on all. */
export interface Session {
  readonly email: string
  readonly apiKey: string
  readonly userId: number
}

const key = 'parley.session'
const storage = browserStorage('localStorage')
// The server closes the sockets of a former key about when the window that has regenerated it gets its answer.
const renewalMs = 2000

/**
 * Reads the session from the browser's storage for this origin, where it stays until the user signs out. Scripts of
 * other origins cannot read it, and the Content-Security-Policy lets none run here.
 */
export function readSession(): Session | undefined {
  try {
    const kept = JSON.parse(storage.read(key) ?? 'null') as Partial<Session> | null
    if (typeof kept?.email !== 'string' || typeof kept.apiKey !== 'string') return undefined
    return { email: kept.email, apiKey: kept.apiKey, userId: Number(kept.userId) }
  } catch {
    return undefined
  }
}

/** If the browser refuses it, the session lasts as long as this page, and no former one comes back. */
function keepSession(session: Session): void {
  if (!storage.keep(key, JSON.stringify(session))) forgetSession()
}

export const forgetSession = (): void => storage.forget(key)

/** Calls back when the user signs in or out on another page. Returns a function that removes the listener. */
export function watchSession(changed: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed()
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/**
 * The session with another key in place of a rejected one: another window of this browser has regenerated the key, or is about to store
 * it. Undefined: the session has ended.
 */
export function renewedSession(rejected: Session): Promise<Session | undefined> {
  const renewed = () => {
    const now = readSession()
    return now?.userId === rejected.userId && now.apiKey !== rejected.apiKey ? now : undefined
  }
  const stored = renewed()
  if (stored) return Promise.resolve(stored)
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve(renewed())
    }
    const stop = watchSession(end)
    const timer = setTimeout(end, renewalMs)
  })
}

/** Why signing in failed; the page shows `message`. */
class SignInError extends Error {}

/** @throws {SignInError} with the server's message, or because the server is unreachable. */
export async function signIn(email: string, password: string): Promise<Session> {
  return entered(await call('POST', '/fetch_api_key', { username: email, password }))
}

/** Enters a demonstration as one of its people, without a password. @throws {SignInError} */
export async function enterAs(email: string): Promise<Session> {
  return entered(await call('POST', '/dev_fetch_api_key', { username: email }))
}

/**
 * Replaces the API key, which signs out all that use the former one. Not over the socket, which the server closes before it could
 * answer. @throws {SignInError}
 */
export async function regenerateKey(session: Session): Promise<Session> {
  const answer = await call('POST', '/users/me/api_key/regenerate', {}, authorization(session))
  const renewed = { ...session, apiKey: String(answer.api_key) }
  keepSession(renewed)
  return renewed
}

/** Email addresses of the demonstration accounts to enter as; empty if the server is no demonstration, or on another machine. */
export async function demonstrationPeople(): Promise<string[]> {
  const people = (await call('GET', '/dev_list_users').catch(() => ({}))) as Readonly<Record<string, Person[]>>
  return [...(people.direct_admins ?? []), ...(people.direct_users ?? [])].map(({ email }) => email)
}

interface Person {
  readonly email: string
}

function entered(answer: Record<string, unknown>): Session {
  const session = { email: String(answer.email), apiKey: String(answer.api_key), userId: Number(answer.user_id) }
  keepSession(session)
  return session
}

/** The answer of `/server_settings`, which needs no session. @throws {SignInError} */
export const aboutServer = (): Promise<Record<string, unknown>> => call('GET', '/server_settings')

async function call(
  method: string,
  path: string,
  params?: Record<string, string>,
  credentials?: string,
): Promise<Record<string, unknown>> {
  let response: Response
  try {
    const body = params && new URLSearchParams(params)
    const headers = credentials === undefined ? undefined : { Authorization: credentials }
    response = await fetch(`/api/v1${path}`, { method, body, headers, credentials: 'omit' })
  } catch {
    throw new SignInError(t('signIn.unreachable'))
  }
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (!response.ok) throw new SignInError(sentence(answer, response.status))
  return answer
}

function sentence(answer: Record<string, unknown>, status: number): string {
  if (answer.code === 'RATE_LIMIT_HIT') {
    const minutes = Math.ceil(Number(answer['retry-after'] ?? 60) / 60)
    return t('signIn.tooMany', minutes)
  }
  return refusalText(answer.code, String(answer.msg ?? t('signIn.answered', status)))
}

/** The value of the header Authorization, for requests outside the socket. */
export const authorization = ({ email, apiKey }: Session): string => `Basic ${encode(`${email}:${apiKey}`)}`

/** btoa accepts only Latin-1, and an email may contain other characters. */
const encode = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
