import type { Clock } from '../concurrency/clock.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import type { RedisClient } from '../redis/client.js'
import type { Functions } from '../redis/functions.js'
import type { Keys } from '../redis/keys.js'
import type { EngineCounts } from './engine-counts.js'
import type { Outbox } from './realtime.js'
import type { Timing } from './timing.js'

/** Dependencies that all classes of one engine share. */
export interface EngineDeps {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly timing: Timing
  readonly redis: RedisClient
  readonly functions: Functions
  readonly keys: Keys
  readonly outbox: Outbox
  /** This worker's id. */
  readonly worker: string
  readonly counts: EngineCounts
}
