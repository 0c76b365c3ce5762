import type { Unsent } from '../state/chat-state.js'

const prefix = 'parley.outbox.'

export interface OutboxStore {
  /** Keeps the unsent messages of this window, at once. @throws if the browser's storage is full or refused. */
  keep(outbox: readonly Unsent[]): void
  /** Ends taking over; what is kept stays for the next window. */
  end(): void
}

/**
 * The unsent messages of this window, kept over its end. Each window holds a lock with the name of its entry, and takes over the entries
 * whose windows are gone. A browser without locks keeps them for this window alone, also over a reload.
 */
export function openOutbox(userId: number, take: (unsent: Unsent[]) => void): OutboxStore {
  const { locks } = navigator
  const storage = locks ? localStorage : sessionStorage
  const ofUser = `${prefix}${userId}.`
  const own = `${ofUser}${crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)}`
  const ended = new AbortController()
  const failed = (error: unknown) => {
    if (!ended.signal.aborted) console.error(error)
  }
  const takeOver = (key: string) => {
    const unsent = parsed(storage.getItem(key))
    // The other window has its messages in its own entry before this one is gone.
    if (unsent.length > 0) take(unsent)
    storage.removeItem(key)
  }
  const awaited = new Set([own])
  const watch = (key: string) => {
    if (!key.startsWith(ofUser) || awaited.has(key)) return
    awaited.add(key)
    if (!locks) return takeOver(key)
    locks.request(key, { signal: ended.signal }, () => takeOver(key)).catch(failed)
  }
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key !== null && newValue !== null) watch(key)
  }
  const held = new Promise<void>(resolve => ended.signal.addEventListener('abort', () => resolve()))
  locks?.request(own, () => held).catch(failed)
  for (const key of Object.keys(storage)) watch(key)
  addEventListener('storage', listener)
  return {
    keep(outbox) {
      if (outbox.length > 0) storage.setItem(own, JSON.stringify(outbox))
      else storage.removeItem(own)
    },
    end() {
      removeEventListener('storage', listener)
      ended.abort()
    },
  }
}

/** Deletes the unsent messages of all accounts, or of all but one. */
export function forgetOutboxes(exceptUserId?: number): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(prefix) && !key.startsWith(`${prefix}${exceptUserId}.`)) storage.removeItem(key)
}

/** A message that was being sent is sent again, as the same attempt. */
function parsed(text: string | null): Unsent[] {
  try {
    const list = JSON.parse(text ?? '[]') as unknown
    const unsent = Array.isArray(list) ? list.filter(isUnsent) : []
    return unsent.map(one => (one.status === 'sending' ? { ...one, status: 'waiting' } : one))
  } catch {
    return []
  }
}

const isUnsent = (one: Partial<Unsent> | null): one is Unsent =>
  typeof one?.localId === 'string' &&
  typeof one.content === 'string' &&
  typeof one.place === 'object' &&
  typeof one.after === 'number' &&
  typeof one.status === 'string'
