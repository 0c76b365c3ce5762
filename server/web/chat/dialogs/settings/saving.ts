import { createContext, createSignal, useContext } from 'solid-js'
import { type TextKey, t } from '../../../language/language.js'
import { useChat } from '../../chat.js'

interface Saving {
  /** Makes a change; false if the server refused it. */
  save(method: string, path: string, params: Record<string, unknown>): Promise<boolean>
  /** Why the last change was refused. */
  readonly error: () => string
  readonly progress: () => string
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
  const [progress, setProgress] = createSignal<TextKey>()
  return {
    error,
    progress: () => {
      const key = progress()
      return key ? t(key) : ''
    },
    async save(method, path, params) {
      setError('')
      setProgress('settings.saving')
      try {
        await chat.ask(method, path, params)
        setProgress('settings.saved')
        return true
      } catch (failure) {
        setProgress(undefined)
        setError((failure as Error).message)
        return false
      }
    },
  }
}
