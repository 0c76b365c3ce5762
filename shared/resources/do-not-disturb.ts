import { z } from 'zod'

const minuteOfDay = z.int().min(0).max(1439)

/** When a user wants no notifications and no sounds. */
export const doNotDisturb = z.object({
  until: z.int().nullable().describe('UNIX seconds until which it is quiet; null: not set. It may be over.'),
  quiet_hours: z
    .object({ from: minuteOfDay, to: minuteOfDay })
    .nullable()
    .describe(
      "The quiet part of each day in minutes after midnight, in the account's time zone (UTC without one); past midnight where `from` is larger. Null: none.",
    ),
})

export type DoNotDisturb = z.output<typeof doNotDisturb>

/** Nothing is set. */
export const notQuiet: DoNotDisturb = { until: null, quiet_hours: null }

/** @param timeZone IANA name; one that is empty or unknown stands for UTC @param now in ms */
export const isQuietAt = (given: DoNotDisturb, timeZone: string, now: number): boolean =>
  quietEnd(given, timeZone, now) !== null

/**
 * When the quiet time of this moment ends, in ms; null: it is not quiet. An hour late or early where the clocks are changed before the end.
 * @param timeZone IANA name; one that is empty or unknown stands for UTC @param now in ms
 */
export function quietEnd({ until, quiet_hours: hours }: DoNotDisturb, timeZone: string, now: number): number | null {
  const begin = until === null ? now : Math.max(now, until * 1000)
  const minutes = hours ? minutesLeft(hours, minuteAt(begin, timeZone)) : 0
  const end = minutes === 0 ? begin : Math.floor(begin / minuteMs) * minuteMs + minutes * minuteMs
  return end > now ? end : null
}

const minuteMs = 60_000
const minutesOfDay = 1440

/** Of the quiet hours; 0 outside of them. */
function minutesLeft({ from, to }: NonNullable<DoNotDisturb['quiet_hours']>, minute: number): number {
  const isInside = from <= to ? from <= minute && minute < to : from <= minute || minute < to
  return isInside ? (to - minute + minutesOfDay) % minutesOfDay : 0
}

function minuteAt(now: number, timeZone: string): number {
  const parts = clockOf(timeZone || 'UTC').formatToParts(now)
  const number = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value)
  return number('hour') * 60 + number('minute')
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  } catch (error) {
    // The zone of an imported account may be unknown here.
    if (!(error instanceof RangeError)) throw error
    return clockOf('UTC')
  }
}
