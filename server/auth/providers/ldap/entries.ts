import type { Entry } from 'ldapts'

/** The first value of an attribute as text: bytes that are no text, as Active Directory's objectGUID, as hexadecimal digits. */
export function textOf(entry: Entry, attribute: string): string {
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1]
  const value = Array.isArray(found) ? found[0] : found
  if (value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  const text = value.toString('utf8')
  return Buffer.from(text, 'utf8').equals(value) && !/\p{Cc}/u.test(text) ? text : value.toString('hex')
}
