import { locale } from './language.js'

/** A number with the signs of the language. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(locale(), options)

/** Names and words one after the other. `and`: the last one is joined by that word in each language. */
export const listText = (items: readonly string[], how?: 'and'): string =>
  new Intl.ListFormat(locale(), { type: how === 'and' ? 'conjunction' : 'unit' }).format(items)

/** `today`, `yesterday`, `in 3 days`. */
export const dayText = (days: number): string =>
  new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day')

/** The text with a capital letter at its beginning, as a title. */
export function titled(text: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase(locale()) + text.slice(first.length)
}

/** The order of names in the language. */
export const byText = (a: string, b: string): number => a.localeCompare(b, locale())
