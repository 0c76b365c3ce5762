import type { RedisClient } from './client.js'
import { keysOf } from './keys.js'

/** Whether servers of the organization have used this Redis with this prefix. */
export async function hasFeed(redis: RedisClient, prefix: string, org: string): Promise<boolean> {
  return Number(await redis.command('EXISTS', keysOf(prefix, org).feed)) > 0
}
