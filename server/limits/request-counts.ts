import type { RedisClient } from '../redis/client.js'
import { keysOf } from '../redis/keys.js'

/** Length of a counting window in seconds. */
export const windowSeconds = 60

// Counts live longer than the window, because the clocks of machines differ a little.
const keptSeconds = windowSeconds + 10

// Adds to a number that expires. KEYS 1 the number. ARGV 1 the amount, 2 the time to live in s. RESULT the sum.
const addScript = `
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if sum == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return sum`

/** Counts the requests of each caller in a window of time, over all workers. */
export class RequestCounts {
  constructor(
    private readonly redis: Pick<RedisClient, 'command'>,
    private readonly prefix: string,
    private readonly org: string,
  ) {}

  /**
   * Adds requests to a window's count; returns the count over all workers. `kept`: seconds from the first request for which it is kept.
   * @throws while Redis is unavailable.
   */
  async add(who: string, window: number, requests: number, kept = keptSeconds): Promise<number> {
    const key = keysOf(this.prefix, this.org).requests(who, window)
    return (await this.redis.command('EVAL', addScript, 1, key, requests, kept)) as number
  }
}
