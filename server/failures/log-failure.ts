import type { Log } from '../log.js'
import { databaseFailure } from './database-failure.js'

/** The log, and what knows whether Redis is unavailable; `Ctx` is one. */
interface Failing {
  readonly log: Log
  readonly redis: { readonly outage: { includes(error: unknown): boolean } }
}

/**
 * Logs the failure of work for which no caller waits. An error that means that a database is unavailable is logged at level debug:
 * the outage has its own two log lines, and thousands of pieces of work can fail during it.
 */
export function logFailure(
  { log, redis }: Failing,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const isAway = redis.outage.includes(error) || databaseFailure(error) !== undefined
  if (isAway) log.debug({ ...fields, error: String(error) }, message)
  else log.warn({ ...fields, err: error }, message)
}
