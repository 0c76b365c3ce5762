import type { Unsent } from '../state/chat-state.js'

const key = (userId: number) => `parley.outbox.${userId}`

/** The messages that were not sent, or possibly not sent, before this window was reloaded. */
export function readOutbox(userId: number): Unsent[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key(userId)) ?? '[]') as Unsent[]
    // A message that was being sent is sent again, as the same attempt.
    return kept.map(one => (one.status === 'sending' ? { ...one, status: 'waiting' } : one))
  } catch {
    return []
  }
}

export function keepOutbox(userId: number, outbox: readonly Unsent[]): void {
  if (outbox.length > 0) sessionStorage.setItem(key(userId), JSON.stringify(outbox))
  else sessionStorage.removeItem(key(userId))
}
