import { type Flatten, flatten, translator } from '@solid-primitives/i18n'
import { createSignal } from 'solid-js'
import { language, languages } from './language.js'
import type { SettingsTexts } from './texts.js'

type FlatTexts = Flatten<SettingsTexts>

/** The key of a text without parameters. */
export type SettingsKey = { [Key in keyof FlatTexts]: FlatTexts[Key] extends string ? Key : never }[keyof FlatTexts]

const [texts, setTexts] = createSignal<FlatTexts>()

/** The text of a key of the page of settings, in the language of the page. */
export const st = translator(() => {
  const loaded = texts()
  if (!loaded) throw new Error('the texts of the settings are not loaded')
  return loaded
})

/** Loads the texts in the language of the page, which may change meanwhile. @throws where they cannot be loaded */
export async function openSettingsTexts(): Promise<void> {
  const wanted = language()
  const loaded = flatten(await languages[wanted].loadSettings())
  if (wanted !== language()) return openSettingsTexts()
  setTexts(() => loaded)
}
