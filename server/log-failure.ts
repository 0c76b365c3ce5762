import type { Ctx } from './ctx.js'
import { databaseFailure } from './store/database-away.js'

/**
 * Logs why work failed that no caller waits for. An error that only says that a database is away belongs to the outage, which
 * has two lines of its own: it would be logged for each piece of work, thousands of times.
 */
export function logFailure(
  { log, redis }: Pick<Ctx, 'log' | 'redis'>,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const isAway = redis.outage.includes(error) || databaseFailure(error) !== undefined
  if (isAway) log.debug({ ...fields, error: String(error) }, message)
  else log.warn({ ...fields, err: error }, message)
}
