import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisClient } from './client.js'
import { keysOf } from './keys.js'

/** Seconds over which requests are counted. */
export const windowSeconds = 60

// Longer than the window itself: the clocks of machines differ a little.
const keptSeconds = windowSeconds + 10

/** How many requests somebody has made in a window of time, counted over all workers. */
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
      // What is too many is decided by whoever asks: here it is only counted.
      points: Number.MAX_SAFE_INTEGER,
      duration: keptSeconds,
    })
  }

  /**
   * Adds requests to those of a window; returns how many all workers have counted there.
   * @throws while Redis is away.
   */
  async add(who: string, window: number, requests: number): Promise<number> {
    const { consumedPoints } = await this.limiter.penalty(keysOf(this.prefix, this.org).requests(who, window), requests)
    return consumedPoints
  }
}

// Adds to a number that ends by itself. KEYS 1 the number. ARGV 1 how much to add, 2 seconds. RESULT the sum, milliseconds left.
const addScript = `
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if sum == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return {sum, redis.call('PTTL', KEYS[1])}`

/** What the limiter asks of its client, done with ours: one connection, one way to hear that Redis is away. */
const counting = (redis: RedisClient) => ({
  rlflxIncr: ([key, points, seconds]: readonly [string, string, string]) =>
    redis.command('EVAL', addScript, 1, key, points, seconds),
})
