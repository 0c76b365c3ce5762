import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { Inspection } from '../realtime/inspection.js'
import { connectRedis } from '../redis/client.js'

/** The versions of the workers that run on the organization, on any machine. */
export async function runningVersions(
  { redisUrl, redisSocket, keyPrefix }: Config & { redisUrl: string },
  log: Log,
  organization: string,
): Promise<string[]> {
  const redis = await connectRedis(redisUrl, log, redisSocket)
  try {
    return await new Inspection(redis, keyPrefix, organization).versions()
  } finally {
    await redis.close()
  }
}
