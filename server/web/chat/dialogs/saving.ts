import { createContext, createSignal, type Signal, useContext } from 'solid-js'
import { type TextKey, t } from '../../language/language.js'
import { type Attempts, createAttempts } from '../../look/attempts.js'
import { type Chat, useChat } from '../chat.js'

export interface Saving extends Pick<Attempts, 'error'> {
  /** Makes a change; false if the server refused it. */
  save(method: string, path: string, params: Record<string, unknown>): Promise<boolean>
  /** Makes a change of several requests; false if one of them failed, and the dialog shows why. */
  run(work: () => Promise<unknown>): Promise<boolean>
  readonly progress: () => string
  /** For a part that shows beside itself why a change failed; its progress is that of the whole. */
  part(): Saving
}

export const SavingContext = createContext<Saving>()

export function useSaving(): Saving {
  const saving = useContext(SavingContext)
  if (!saving) throw new Error('outside of the settings')
  return saving
}

export const createSaving = (): Saving => savingOf(useChat(), createSignal<TextKey>())

function savingOf(chat: Chat, shown: Signal<TextKey | undefined>): Saving {
  const { error, attempt } = createAttempts()
  const [progress, setProgress] = shown
  const run = async (work: () => Promise<unknown>) => {
    setProgress('settings.saving')
    const isDone = await attempt(work)
    setProgress(isDone ? 'settings.saved' : undefined)
    return isDone
  }
  return {
    error,
    progress: () => {
      const key = progress()
      return key ? t(key) : ''
    },
    save: (method, path, params) => run(() => chat.ask(method, path, params)),
    run,
    part: () => savingOf(chat, shown),
  }
}
