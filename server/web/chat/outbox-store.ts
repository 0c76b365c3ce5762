import { browserStorage } from '../look/browser-storage.js'
import type { Unsent } from '../state/chat-state.js'

const prefix = 'parley.outbox.'

interface OutboxStore {
  /** Keeps the unsent messages of this window, at once. False: the browser's storage is full or refused. */
  keep(outbox: readonly Unsent[]): boolean
  /** Ends taking over; what is kept stays for the next window. */
  end(): void
}

/**
 * The unsent messages of this window, kept over its end. Each window holds a lock with the name of its entry, and takes over the entries
 * whose windows are gone. A browser without locks keeps them for this window alone, also over a reload.
 */
export function openOutbox(userId: number, take: (unsent: Unsent[]) => void): OutboxStore {
  const { locks } = navigator
  const storage = browserStorage(locks ? 'localStorage' : 'sessionStorage')
  const ofUser = `${prefix}${userId}.`
  const own = `${ofUser}${crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)}`
  const ended = new AbortController()
  const failed = (error: unknown) => {
    if (!ended.signal.aborted) console.error(error)
  }
  const awaited = new Set([own])
  const takeOver = (key: string) => {
    // The window may have kept more than this one sees by now: its entry is taken over again once it changes.
    awaited.delete(key)
    const unsent = parsed(storage.read(key))
    // This window keeps the messages in its own entry before the other entry is gone. A third window that does not see that yet takes them
    // too, and the server recognizes its requests as repeats.
    if (unsent.length > 0) take(unsent.map(one => ({ ...one, leftBy: one.leftBy ?? key })))
    storage.forget(key)
  }
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
  for (const key of storage.keys(ofUser)) watch(key)
  addEventListener('storage', listener)
  return {
    keep(outbox) {
      if (outbox.length > 0) return storage.keep(own, JSON.stringify(outbox))
      storage.forget(own)
      return true
    },
    end() {
      removeEventListener('storage', listener)
      ended.abort()
    },
  }
}

/** Deletes the unsent messages of all accounts, or of all but one. */
export function forgetOutboxes(exceptUserId?: number): void {
  for (const storage of [browserStorage('localStorage'), browserStorage('sessionStorage')])
    for (const key of storage.keys(prefix)) if (!key.startsWith(`${prefix}${exceptUserId}.`)) storage.forget(key)
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
