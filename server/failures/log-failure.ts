import type { Log } from '../log.js'
import { databaseFailure } from './database-failure.js'

/** The log, and the detection of outages of Redis; `Ctx` is one. */
interface FailureLog {
  readonly log: Log
  readonly redis?: { readonly outage: { includes(error: unknown): boolean } }
}

/**
 * Logs the failure of a task for which no caller waits. An error that means that a database is unavailable is logged at level debug:
 * the outage has its own two log lines, and thousands of tasks can fail during it.
 */
export function logFailure(
  { log, redis }: FailureLog,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const isOutage = redis?.outage.includes(error) || databaseFailure(error) !== undefined
  if (isOutage) log.debug({ ...fields, error: String(error) }, message)
  else log.warn({ ...fields, err: error }, message)
}
