import type { MailLanguage } from './template.js'

const locales: Readonly<Record<MailLanguage, string>> = { en: 'en-GB', de: 'de' }

/** A time in ISO 8601 in words, in the reader's zone; `zone`: '' is UTC. A text that is no time stays. */
export const timeIn = (iso: string, language: MailLanguage, zone: string): string =>
  inWords(iso, language, { timeZone: zoneOf(zone), dateStyle: 'medium', timeStyle: 'short' })

/** The same with seconds and the name of the zone. */
export const longTimeIn = (iso: string, language: MailLanguage, zone: string): string =>
  inWords(iso, language, { timeZone: zoneOf(zone), dateStyle: 'long', timeStyle: 'long' })

/** The day alone. */
export const dayIn = (iso: string, language: MailLanguage, zone: string): string =>
  inWords(iso, language, { timeZone: zoneOf(zone), dateStyle: 'long' })

const zoneOf = (zone: string): string => (zone === '' ? 'UTC' : zone)

function inWords(iso: string, language: MailLanguage, options: Intl.DateTimeFormatOptions): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : time.toLocaleString(locales[language], options)
}
