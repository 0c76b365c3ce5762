import { type Flatten, flatten, translator } from '@solid-primitives/i18n'
import { createSignal } from 'solid-js'
import { en } from './en/index.js'
import type { SettingsTexts, Texts } from './texts.js'

type FlatTexts = Flatten<Texts>

/** The key of a text without parameters. */
export type TextKey = { [Key in keyof FlatTexts]: FlatTexts[Key] extends string ? Key : never }[keyof FlatTexts]

interface Offered {
  /** In the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  load(): Promise<Texts>
  /** The texts of the page of settings. */
  loadSettings(): Promise<SettingsTexts>
}

/** The languages of the pages. English is part of them; another language is loaded when it is wanted. */
export const languages = {
  en: {
    name: 'English',
    direction: 'ltr',
    load: () => Promise.resolve(en),
    loadSettings: async () => (await import('./en/settings-page/index.js')).settingsPage,
  },
  de: {
    name: 'Deutsch',
    direction: 'ltr',
    load: async () => (await import('./de/index.js')).de,
    loadSettings: async () => (await import('./de/settings-page/index.js')).settingsPage,
  },
} as const satisfies Readonly<Record<string, Offered>>

export type Language = keyof typeof languages

interface Spoken {
  readonly language: Language
  /** The form of the language that the user's browser prefers, for example `en-GB`. */
  readonly locale: string
  readonly texts: FlatTexts
}

// One document has one language.
const [spoken, setSpoken] = createSignal<Spoken>({ language: 'en', locale: 'en', texts: flatten(en) })

/** The text of a key in the language of the page. */
export const t = translator(() => spoken().texts)

/** The language of the page. */
export const language = (): Language => spoken().language

/** The language of the page for `Intl`: dates, numbers, lists, order. */
export const locale = (): string => spoken().locale

/** Changes the language of the page. `preferred`: the user's languages, which may name a region. */
export function speak(wanted: Language, texts: Texts, preferred: readonly string[]): void {
  const regional = preferred.find(code => baseOf(code) === baseOf(wanted))
  setSpoken({ language: wanted, locale: regional ?? withHoursOf(wanted, preferred[0]), texts: flatten(texts) })
}

/** The user counts hours as in the first language, also on a page in another one: English alone would say 6:45 PM everywhere. */
function withHoursOf(wanted: Language, first: string | undefined): string {
  const { hourCycle } = new Intl.DateTimeFormat(first ?? wanted, { hour: 'numeric' }).resolvedOptions()
  return `${wanted}-u-hc-${hourCycle}`
}

/** The first of the codes that the pages can speak; otherwise English. `de-AT` finds `de`. */
export function bestLanguage(codes: readonly string[]): Language {
  for (const code of codes) {
    const lower = code.toLowerCase()
    const found = [lower, baseOf(lower)].find((one): one is Language => Object.hasOwn(languages, one))
    if (found) return found
  }
  return 'en'
}

export const baseOf = (code: string): string => code.toLowerCase().split('-')[0] ?? ''
