import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as german } from '@orama/stemmers/german'

/** The stems of a folded word that differ from it. */
export type Stems = (form: string) => readonly string[]

const inLetters = /^\p{L}{3,40}$/u

/** In each language whose texts are expected. */
export const stemsOf: Stems = form =>
  inLetters.test(form) ? [...new Set([english(form), german(form)])].filter(stem => stem !== form && stem !== '') : []
