type Area = 'localStorage' | 'sessionStorage'

/**
 * What this page keeps in the browser, for all its windows or for this one. A browser may refuse its storage altogether, where each
 * access throws, or have no room. The page then goes on without what it would have kept.
 */
interface BrowserStorage {
  /** Null: nothing is kept. */
  read(key: string): string | null
  /** False: not kept; a former value stays. */
  keep(key: string, text: string): boolean
  forget(key: string): void
  /** The keys that begin with a prefix. */
  keys(prefix: string): string[]
}

export function browserStorage(area: Area): BrowserStorage {
  const attempt = <Value>(work: (storage: Storage) => Value, otherwise: Value): Value => {
    try {
      return work(window[area])
    } catch (error) {
      console.warn('The browser refuses its storage:', area, error)
      return otherwise
    }
  }
  return {
    read: key => attempt(storage => storage.getItem(key), null),
    keep: (key, text) =>
      attempt(storage => {
        storage.setItem(key, text)
        return true
      }, false),
    forget: key => attempt(storage => storage.removeItem(key), undefined),
    keys: prefix => attempt(storage => Object.keys(storage).filter(key => key.startsWith(prefix)), []),
  }
}
