/** The form of a date that `parseIsoTime` takes. */
export const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s?(?:([Zz])|([+-]\d{2}):?(\d{2}))?$/

/**
 * Whether the text is a day of the calendar, such as `2028-02-29`. JavaScript alone takes the thirtieth of February for a day of March, and
 * knows a year 0, which the calendar and the database do not.
 */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * A date, or a date and time, in ISO 8601, with `T` or a space between. Without an offset it is UTC, a date alone is midnight. Undefined for
 * a day, hour, minute or offset that does not exist, and for any other text.
 */
export function parseIsoTime(text: string): Date | undefined {
  const [, day, time = '00:00', , hours, minutes] = isoTime.exec(text) ?? []
  // The hour 24 would be one of the next day.
  if (day === undefined || !isCalendarDate(day) || time.startsWith('24')) return undefined
  const date = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
  // In UTC an offset may lead into the year 0 or 10000, which the database does not read.
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : undefined
}
