import { availableParallelism } from 'node:os'
import type { Clock } from '../concurrency/clock.js'
import { budgets } from '../config/budgets.js'
import type { Config } from '../config.js'
import type { External } from '../external/external.js'
import { logFailure } from '../failures/log-failure.js'
import type { Log } from '../log.js'
import type { Directory } from '../memory/directory.js'
import type { RedisClient } from '../redis/client.js'
import { RequestCounts } from './request-counts.js'
import { RequestLimit } from './request-limit.js'

/** The request limits of this worker; undefined: no limit. */
export interface CallerLimits {
  /** Keyed by account id. */
  readonly users: RequestLimit | undefined
  /** Keyed by network, for callers without credentials and for wrong credentials. */
  readonly addresses: RequestLimit | undefined
  /** Reads of files; keyed by account id, or by network without an account. */
  readonly files: RequestLimit | undefined
  /** Content of other hosts; keyed by network. */
  readonly content: RequestLimit | undefined
}

interface CallerLimitDeps {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly redis: RedisClient
  readonly directory: Directory
  readonly external: External | null
}

export function callerLimits(deps: CallerLimitDeps): CallerLimits {
  const { config, clock, redis, directory, external } = deps
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
          failed: error => logFailure(deps, error, 'the rate limit is counted by each worker alone', { kind }),
        })
  return {
    users: limit('user', config.rateLimitUser),
    addresses: limit('address', config.rateLimitAddress),
    files: limit('files', config.rateLimitUser * budgets.fileReads.most),
    content: limit('content', external?.limits.perMinute ?? 0),
  }
}
