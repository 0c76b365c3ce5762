/** The form of the name of a time zone, which may be empty. It refuses offsets and other letter case, which Intl accepts and clients do not. */
export const timeZonePattern = /^([A-Z]\w*([/+-][A-Z0-9][\w+-]*)*)?$/

/** Whether the text is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (name === '' || !timeZonePattern.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
