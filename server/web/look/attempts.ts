import { createSignal } from 'solid-js'

/** Requests of a form or a dialog, which shows why the last one failed. */
export interface Attempts {
  /** Why the last one failed; empty: it did not. */
  readonly error: () => string
  /** Whether one is under way. */
  readonly isBusy: () => boolean
  /** False: it failed. */
  attempt(work: () => Promise<unknown>): Promise<boolean>
}

export function createAttempts(): Attempts {
  const [error, setError] = createSignal('')
  const [isBusy, setBusy] = createSignal(false)
  return {
    error,
    isBusy,
    async attempt(work) {
      setError('')
      setBusy(true)
      try {
        await work()
        return true
      } catch (failure) {
        setError((failure as Error).message)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
