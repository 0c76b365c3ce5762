import { stemmer as nl } from '@orama/stemmers/dutch'
import { stemmer as en } from '@orama/stemmers/english'
import { stemmer as fr } from '@orama/stemmers/french'
import { stemmer as de } from '@orama/stemmers/german'
import { stemmer as it } from '@orama/stemmers/italian'
import { stemmer as pt } from '@orama/stemmers/portuguese'
import { stemmer as ru } from '@orama/stemmers/russian'
import { stemmer as es } from '@orama/stemmers/spanish'
import { type SearchLanguage, searchLanguages } from '../../../shared/resources/realm-settings.js'

/** The stems of a folded word that differ from it. */
export type Stems = (form: string) => readonly string[]

const stemmers: Readonly<Record<SearchLanguage, (word: string) => string>> = { de, en, es, fr, it, nl, pt, ru }

/** The languages that the setting `search_languages` names. */
export function languagesOf(setting: string): readonly SearchLanguage[] {
  const named = setting.split(',')
  return searchLanguages.filter(language => named.includes(language))
}

const inLetters = /^\p{L}{3,40}$/u

/** Computes the stems of these languages. */
export function stemsIn(languages: readonly SearchLanguage[]): Stems {
  const chosen = languages.map(language => stemmers[language])
  return form =>
    inLetters.test(form)
      ? [...new Set(chosen.map(stem => stem(form)))].filter(stem => stem !== form && stem !== '')
      : []
}
