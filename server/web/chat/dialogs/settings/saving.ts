import { createContext, createSignal, useContext } from 'solid-js'
import { useChat } from '../../chat.js'

interface Saving {
  /** Makes a change; false if the server refused it. */
  save(method: string, path: string, params: Record<string, unknown>): Promise<boolean>
  /** Why the last change was refused. */
  readonly error: () => string
}

export const SavingContext = createContext<Saving>()

export function useSaving(): Saving {
  const saving = useContext(SavingContext)
  if (!saving) throw new Error('outside of the settings')
  return saving
}

export function createSaving(): Saving {
  const chat = useChat()
  const [error, setError] = createSignal('')
  return {
    error,
    async save(method, path, params) {
      setError('')
      try {
        await chat.ask(method, path, params)
        return true
      } catch (failure) {
        setError((failure as Error).message)
        return false
      }
    },
  }
}
