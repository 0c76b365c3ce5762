import { availableParallelism } from 'node:os'
import type { Ctx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { RequestCounts } from './request-counts.js'
import { RequestLimit } from './request-limit.js'

/** The request limits of this worker; undefined: no limit. */
export interface CallerLimits {
  /** Keyed by account id. */
  readonly users: RequestLimit | undefined
  /** Keyed by network, for callers without credentials and for wrong credentials. */
  readonly addresses: RequestLimit | undefined
}

export function callerLimits(ctx: Ctx): CallerLimits {
  const { config, clock, redis, directory } = ctx
  const counts = new RequestCounts(redis, config.keyPrefix, directory.organization.uuid)
  const workers = config.workers ?? availableParallelism()
  const limit = (kind: string, perMinute: number) =>
    perMinute === 0
      ? undefined
      : new RequestLimit({
          kind,
          perMinute,
          workers,
          report: (who, window, requests) => counts.add(who, window, requests),
          clock,
          failed: error => logFailure(ctx, error, 'the rate limit is counted by each worker alone', { kind }),
        })
  return { users: limit('user', config.rateLimitUser), addresses: limit('address', config.rateLimitAddress) }
}
