import { t } from '../language/language.js'
import type { StatusData } from './snapshot.js'

/** The result of a request: figures, or the reason why there are none. */
type Asked =
  | { readonly kind: 'data'; readonly data: StatusData }
  /** The session has ended. */
  | { readonly kind: 'signed-out' }
  /** The account may not see the figures. */
  | { readonly kind: 'refused' }
  /** The server is temporarily unavailable, for example during a restart. */
  | { readonly kind: 'away'; readonly why: string }

const timeoutMs = 5000

/** Sends one request. Never rejects. */
export async function ask(): Promise<Asked> {
  try {
    const answer = await fetch('/status/data', {
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (answer.ok) return { kind: 'data', data: (await answer.json()) as StatusData }
    if (answer.status === 401) return { kind: 'signed-out' }
    if (answer.status === 400 || answer.status === 403) return { kind: 'refused' }
    return { kind: 'away', why: t('signIn.answered', answer.status) }
  } catch {
    return { kind: 'away', why: t('signIn.unreachable') }
  }
}
