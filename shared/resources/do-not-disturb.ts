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
export function isQuietAt({ until, quiet_hours: hours }: DoNotDisturb, timeZone: string, now: number): boolean {
  if (until !== null && now < until * 1000) return true
  if (!hours) return false
  const minute = minuteAt(now, timeZone)
  const { from, to } = hours
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to
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
