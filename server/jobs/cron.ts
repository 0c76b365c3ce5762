import { Cron } from 'croner'
import type { Schedule } from './job-kind.js'

/** The next time of a schedule after `after`. @throws if the expression has none */
export function nextTime({ cron, timeZone = 'UTC' }: Schedule, after: Date): Date {
  const next = new Cron(cron, { timezone: timeZone }).nextRun(after)
  if (!next) throw new Error(`the schedule ${cron} never comes`)
  return next
}
