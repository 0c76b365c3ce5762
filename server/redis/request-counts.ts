import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisClient } from './client.js'
import { keysOf } from './keys.js'

/** Length of a counting window in seconds. */
export const windowSeconds = 60

// Counts live longer than the window, because the clocks of machines differ a little.
const keptSeconds = windowSeconds + 10

/** Counts the requests of each caller in a window of time, over all workers. */
export class RequestCounts {
  private readonly limiter: RateLimiterRedis

  constructor(
    redis: RedisClient,
    private readonly prefix: string,
    private readonly org: string,
  ) {
    this.limiter = new RateLimiterRedis({
      storeClient: counting(redis),
      keyPrefix: '',
      // No limit here: this class only counts, the caller decides how many requests are too many.
      points: Number.MAX_SAFE_INTEGER,
      duration: keptSeconds,
    })
  }

  /**
   * Adds requests to a window's count; returns the count over all workers.
   * @throws while Redis is unavailable.
   */
  async add(who: string, window: number, requests: number): Promise<number> {
    const { consumedPoints } = await this.limiter.penalty(keysOf(this.prefix, this.org).requests(who, window), requests)
    return consumedPoints
  }
}

// Adds to a number that expires. KEYS 1 the number. ARGV 1 the amount, 2 the time to live in s. RESULT the sum, remaining ms.
const addScript = `
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if sum == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return {sum, redis.call('PTTL', KEYS[1])}`

/** The client interface of the limiter, on this server's client: one connection, and one place that detects an outage. */
const counting = (redis: RedisClient) => ({
  rlflxIncr: ([key, points, seconds]: readonly [string, string, string]) =>
    redis.command('EVAL', addScript, 1, key, points, seconds),
})
