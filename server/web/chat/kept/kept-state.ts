import { clear, createStore, get, promisifyRequest, type UseStore } from 'idb-keyval'
import { browserStorage } from '../../look/browser-storage.js'
import type { Session } from '../../sign-in/session.js'
import type { Kept } from '../../state/kept.js'

interface Stored extends Kept {
  readonly build: string
  readonly email: string
}

// The name of this file in the build contains a hash of the page, so each build reads only what it wrote itself.
const build = import.meta.url
const name = 'state'
// A start without the kept state is better than one that waits for a slow disk.
const patienceMs = 1000
// Set while a kept state is shown for the first time. Found at a start, it says that the former start broke.
const startingKey = 'parley.starting'
const storage = browserStorage('localStorage')

/**
 * What the browser keeps of the account that is signed in, for this origin and so for this server. The database stays open: a window
 * that closes has no time to open it.
 */
export class KeptStore {
  private readonly store: UseStore = createStore('parley', 'kept')

  constructor(private readonly session: Session | undefined) {}

  /**
   * What an earlier window of this account kept with this build of the page; undefined if there is nothing, or the browser refuses or
   * has lost it. What belongs to another account or build is deleted.
   */
  async read(): Promise<Kept | undefined> {
    try {
      if (storage.read(startingKey) !== null) throw new Error('the page could not show the kept state')
      const stored = await within(patienceMs, get<Stored>(name, this.store))
      if (!stored) return undefined
      if (!isUsable(stored, this.session)) throw new Error('the kept state is of another account or build')
      return stored
    } catch (error) {
      console.warn('Starts without a kept state:', error)
      await this.forget()
      return undefined
    }
  }

  /** @throws if the browser refuses to store it, for example because the disk is full. */
  async write(kept: Kept): Promise<void> {
    if (!this.session) return
    const stored: Stored = { ...kept, build, email: this.session.email }
    await this.store('readwrite', entries => {
      entries.put(stored, name)
      // Without this, the browser drops the transaction of a window that closes.
      entries.transaction.commit()
      return promisifyRequest(entries.transaction)
    })
  }

  /** Deletes what is kept. */
  async forget(): Promise<void> {
    try {
      storage.forget(startingKey)
      await within(patienceMs, clear(this.store))
    } catch (error) {
      console.warn('The kept state cannot be deleted:', error)
    }
  }
}

/** Notes that a kept state is about to be shown; `false`: it has been shown. */
export function noteStarting(isStarting: boolean): void {
  // Without room for it, a state that the page cannot show breaks each start until the user deletes the page's data.
  if (isStarting) storage.keep(startingKey, 'yes')
  else storage.forget(startingKey)
}

/** Storage can hold anything that a broken disk or a person put there. */
function isUsable(stored: Partial<Stored>, session: Session | undefined): boolean {
  const { position, state } = stored
  return (
    stored.build === build &&
    stored.email === session?.email &&
    typeof stored.savedAt === 'number' &&
    typeof position?.queueId === 'string' &&
    Number.isSafeInteger(position.lastEventId) &&
    state?.user_id === session?.userId
  )
}

function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the browser's storage did not answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
