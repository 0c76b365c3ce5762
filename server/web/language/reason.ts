/**
 * The translation of a text of the server, which the record has by the English text; `*` stands for a value in both. Undefined: it has none.
 */
export function reasonIn(translations: Readonly<Record<string, string>>, text: string): string | undefined {
  if (Object.hasOwn(translations, text)) return translations[text]
  for (const [pattern, translation] of Object.entries(translations)) {
    const [before, after] = pattern.split('*') as [string, string | undefined]
    if (after === undefined || !text.startsWith(before) || !text.endsWith(after)) continue
    const value = text.slice(before.length, text.length - after.length)
    return translation.replace('*', () => value)
  }
  return undefined
}
