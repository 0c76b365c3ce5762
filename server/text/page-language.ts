/** The languages of pages and mails of the server; the page of the chat has them as well (server/web/language). */
export const pageLanguages = ['en', 'de'] as const

export type PageLanguage = (typeof pageLanguages)[number]

/** Texts in each of these languages. */
export type InLanguages<Words> = Readonly<Record<PageLanguage, Words>>

/**
 * The language that a reader prefers most among those of the pages.
 * @param accepted the header Accept-Language; may be empty
 * @param otherwise the language of the organization, for a reader who prefers none of them
 */
export function pageLanguage(accepted: string, otherwise: string): PageLanguage {
  const wanted = accepted
    .split(',')
    .map(one => {
      const [code = '', ...rest] = one.trim().toLowerCase().split(';')
      const weight = rest.map(part => /^\s*q=([\d.]+)\s*$/.exec(part)?.[1]).find(found => found !== undefined)
      return { code, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    // Stable: of equal weights the first one counts.
    .sort((one, other) => other.weight - one.weight)
  for (const { code } of wanted) {
    const found = known(code)
    if (found) return found
  }
  return known(otherwise.toLowerCase()) ?? 'en'
}

/** `de-AT` is German. */
const known = (code: string): PageLanguage | undefined => pageLanguages.find(one => one === code.split('-')[0])
