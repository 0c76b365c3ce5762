import type { ChatState } from './chat-state.js'

/** A date and a time of day without a zone, as an input of both has them: `2026-11-28T09:00`. */
export type WallTime = string

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The time zone of the user's account; without one that of the browser. */
export function zoneOf({ user_settings }: Pick<ChatState, 'user_settings'>): string {
  const { timezone } = user_settings
  return timezone !== '' && isKnown(timezone) ? timezone : Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isKnown(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}

/** What the clocks of a zone show at a moment in ms. */
export function wallTimeAt(at: number, timeZone: string): WallTime {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const parts = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...fields }).formatToParts(at)
  const of = (wanted: string, length = 2) =>
    (parts.find(({ type }) => type === wanted)?.value ?? '').padStart(length, '0')
  return `${of('year', 4)}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}

/**
 * The moment in ms at which the clocks of a zone show a time. A time that comes twice, at the end of summer time, is its first one; one that
 * is left out, at the beginning, is as much later as the clocks are set forward. NaN: no time.
 */
export function momentOf(time: WallTime, timeZone: string): number {
  const asUtc = Date.parse(`${time}Z`)
  if (Number.isNaN(asUtc)) return asUtc
  const offsetAt = (at: number) => Date.parse(`${wallTimeAt(at, timeZone)}Z`) - at
  const [before, after] = [offsetAt(asUtc - dayMs), offsetAt(asUtc + dayMs)]
  const found = [asUtc - before, asUtc - after].find(at => wallTimeAt(at, timeZone) === time)
  return found ?? asUtc - before
}

export type LaterName = 'hour' | 'evening' | 'tomorrow' | 'monday'

const [evening, morning] = ['18:00', '09:00']
// One hour before the evening it is "in an hour".
const lastAfternoon = '17:00'

/** Times that a user may want, in the future of `now` (in ms) and in their order. */
export function laterTimes(now: number, timeZone: string): { readonly name: LaterName; readonly at: number }[] {
  const [day = '', time = ''] = wallTimeAt(now, timeZone).split('T')
  // Days of the calendar, which all have 24 hours in UTC.
  const today = Date.parse(`${day}T00:00Z`)
  const onDay = (days: number, at: string) =>
    momentOf(`${new Date(today + days * dayMs).toISOString().slice(0, 10)}T${at}`, timeZone)
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  return [
    { name: 'hour', at: now + hourMs },
    ...(time < lastAfternoon ? [{ name: 'evening' as const, at: onDay(0, evening) }] : []),
    { name: 'tomorrow', at: onDay(1, morning) },
    ...(toMonday > 1 ? [{ name: 'monday' as const, at: onDay(toMonday, morning) }] : []),
  ]
}
