import { openSettingsTexts } from '../language/settings-language.js'
import type { ChatState } from '../state/chat-state.js'
import type { Hit } from '../state/settings-place.js'

/** Loads what the page of settings knows. @throws where it cannot be loaded */
export async function loadSettings(state: ChatState): Promise<(words: string) => Hit[]> {
  const [{ chaptersFor, findSettings }] = await Promise.all([import('./settings/sections.js'), openSettingsTexts()])
  return words => findSettings(chaptersFor(state), words)
}
