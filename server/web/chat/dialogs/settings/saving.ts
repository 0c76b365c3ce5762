import { createContext, createSignal, useContext } from 'solid-js'
import { useChat } from '../../chat.js'

interface Saving {
  /** Makes a change; false if the server refused it. */
  save(method: string, path: string, params: Record<string, unknown>): Promise<boolean>
  /** Why the last change was refused. */
  readonly error: () => string
  readonly progress: () => '' | 'Saving …' | 'Saved'
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
  const [progress, setProgress] = createSignal<'' | 'Saving …' | 'Saved'>('')
  return {
    error,
    progress,
    async save(method, path, params) {
      setError('')
      setProgress('Saving …')
      try {
        await chat.ask(method, path, params)
        setProgress('Saved')
        return true
      } catch (failure) {
        setProgress('')
        setError((failure as Error).message)
        return false
      }
    },
  }
}
