import { browserStorage } from '../look/browser-storage.js'
import { baseOf, bestLanguage, type Language, language, languages, speak } from './language.js'

const key = 'parley.language'
const storage = browserStorage('localStorage')

const keptLanguage = (): string | null => storage.read(key)

/** The language of the account that used this browser last: pages begin with it, before the server has answered. */
export const keptLanguages = (): readonly string[] => {
  const kept = keptLanguage()
  return kept === null ? navigator.languages : [kept]
}

/** The language that the page speaks because the browser prefers it: no account has used the browser yet. */
export function browserLanguage(): Language | undefined {
  const isPreferred = navigator.languages.some(code => baseOf(code) === language())
  return keptLanguage() === null && isPreferred ? language() : undefined
}

/** If the browser refuses it, the next start begins in the language that it had, until the server answers. */
export const keepLanguage = (code: string): boolean => storage.keep(key, code)

/**
 * Changes the language of the page to the first of the codes that it can speak, once its texts are loaded.
 * `isWanted`: whether it is still wanted then. Without a connection the language stays as it is.
 */
export async function openLanguage(codes: readonly string[], isWanted = () => true): Promise<void> {
  const wanted = bestLanguage(codes)
  try {
    const texts = await languages[wanted].load()
    if (!isWanted()) return
    speak(wanted, texts, navigator.languages)
  } catch (error) {
    // The page is of more use in another language than not at all; the next start tries again.
    console.warn('The texts of the language cannot be loaded:', error)
  }
  const root = document.documentElement
  root.lang = language()
  root.dir = languages[language()].direction
}

/** The step of an arrow key along the lines of the page: 1 forward, which is to the left where texts run to the left. */
export function inlineStep({ key }: KeyboardEvent): 1 | -1 | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  return (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl') ? 1 : -1
}
