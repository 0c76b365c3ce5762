/** Text as it stands between tags. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, char => entities[char] ?? char)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text as the value of an attribute in double quotes. */
export const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
