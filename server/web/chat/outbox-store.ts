import type { Unsent } from '../state/outbox.js'

const key = (userId: number) => `parley.outbox.${userId}`

/** What was not sent when this window was reloaded. Whether the server has it is found out before it is sent. */
export function readOutbox(userId: number): Unsent[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key(userId)) ?? '[]') as Unsent[]
    return kept.map(one => (one.status === 'refused' ? one : { ...one, status: 'doubtful' }))
  } catch {
    return []
  }
}

export function keepOutbox(userId: number, outbox: readonly Unsent[]): void {
  if (outbox.length > 0) sessionStorage.setItem(key(userId), JSON.stringify(outbox))
  else sessionStorage.removeItem(key(userId))
}
