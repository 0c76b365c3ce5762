import { t } from '../language/language.js'
import { refusalText } from '../language/refusal-text.js'
import { browserStorage } from '../look/browser-storage.js'

/**
 * The account that is signed in in this browser. Its session is a cookie that no script can read; what is kept here only says whose it is,
 * so that a page without a connection can begin, and other windows notice a change.
 */
export interface Session {
  readonly email: string
  readonly userId: number
}

const key = 'parley.session'
const storage = browserStorage('localStorage')
const lookMs = 3000

/** What is kept; undefined: no account, as far as this browser knows. */
export function readSession(): Session | undefined {
  const kept = readKept()
  return kept && typeof kept.email === 'string' ? { email: kept.email, userId: Number(kept.userId) } : undefined
}

function readKept(): Partial<Session & { apiKey: string }> | undefined {
  try {
    return (JSON.parse(storage.read(key) ?? 'null') as Partial<Session & { apiKey: string }> | null) ?? undefined
  } catch {
    return undefined
  }
}

/** If the browser refuses it, the next page asks the server, and no former account comes back. */
function keepSession(session: Session): void {
  if (!storage.keep(key, JSON.stringify(session))) forgetSession()
}

export const forgetSession = (): void => storage.forget(key)

// The user has signed out without a connection.
const leavingKey = 'parley.leaving'

/** Calls back when the user signs in or out on another page. Returns a function that removes the listener. */
export function watchSession(changed: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed()
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** The account whose session the browser has; undefined: none. Without an answer of the server, the account that is kept. */
export async function findSession(): Promise<Session | undefined> {
  try {
    if (storage.read(leavingKey) !== null) await leaveServer()
    await exchangeKey()
    const answer = await fetch('/json/users/me', { cache: 'no-store', signal: AbortSignal.timeout(lookMs) })
    if (answer.status === 401) {
      forgetSession()
      return undefined
    }
    if (!answer.ok) return readSession()
    const { delivery_email: email, user_id: userId } = (await answer.json()) as {
      delivery_email: string
      user_id: number
    }
    const found = { email, userId }
    if (readSession()?.userId !== userId || readSession()?.email !== email) keepSession(found)
    return found
  } catch (error) {
    console.warn('The server cannot be asked who is signed in:', error)
    return readSession()
  }
}

/** Pages of 0.1.0 kept the API key: it becomes a session, once, and is forgotten. */
async function exchangeKey(): Promise<void> {
  const { email, apiKey, userId } = readKept() ?? {}
  if (email === undefined || apiKey === undefined) return
  const headers = { Authorization: `Basic ${encode(`${email}:${apiKey}`)}`, Accept: 'application/json' }
  const answer = await fetch('/accounts/login/by_key/', {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(lookMs),
  })
  if (answer.ok) keepSession({ email, userId: Number(userId) })
  else if (answer.status === 401) forgetSession()
}

/** Leaves the page for the one that signs people in, and that leads back here. */
export function goToSignIn(why?: 'ended'): void {
  const { pathname, search, hash } = location
  const query = new URLSearchParams({ next: pathname + search + hash, ...(why && { [why]: '1' }) })
  location.assign(`/login/?${query}`)
}

/** Ends the session of this browser; without a connection, when a page reaches the server again. */
export async function endSession(): Promise<void> {
  storage.keep(leavingKey, '1')
  try {
    await leaveServer()
  } catch (error) {
    console.warn('The session could not be ended:', error)
  }
}

async function leaveServer(): Promise<void> {
  await fetch('/accounts/logout/', { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(lookMs) })
  storage.forget(leavingKey)
}

/**
 * The account's API key. The server gives it for the password, and without one to a session that has just begun by other means.
 * @throws {Error} with a sentence for people
 */
export async function fetchKey(password: string): Promise<string> {
  return String((await call('/json/fetch_api_key', new URLSearchParams({ password }))).api_key)
}

/** Replaces the API key, which ends what uses the former one; the session stays. @throws {Error} with a sentence for people */
export async function replaceKey({ email }: Session, apiKey: string): Promise<string> {
  const headers = { Authorization: `Basic ${encode(`${email}:${apiKey}`)}` }
  return String((await call('/api/v1/users/me/api_key/regenerate', new URLSearchParams(), headers)).api_key)
}

async function call(
  path: string,
  body: URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(path, { method: 'POST', body, headers }).catch(() => undefined)
  if (!response) throw new Error(t('signIn.unreachable'))
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (response.ok) return answer
  // The only refusal of its operation that has this code.
  if (path.endsWith('/fetch_api_key') && answer.code === 'BAD_REQUEST') {
    throw new Error(body.get('password') ? t('account.wrongPassword') : t('account.signInAgain'))
  }
  if (answer.code !== 'RATE_LIMIT_HIT') {
    throw new Error(refusalText(answer.code, String(answer.msg ?? t('signIn.answered', response.status))))
  }
  throw new Error(t('signIn.tooMany', Math.ceil(Number(answer['retry-after'] ?? 60) / 60)))
}

/** btoa accepts only Latin-1, and an email may contain other characters. */
const encode = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
