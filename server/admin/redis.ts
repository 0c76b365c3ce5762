import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { connectRedis, type RedisClient } from '../redis/client.js'
import { reachRedis } from '../redis/reach-redis.js'
import { AdminError } from './admin-error.js'

/** Runs the work on the Redis of the settings: the one of REDIS_URL, or that of the server that runs on DATA_DIR. @throws {AdminError} */
export async function withRedis<T>(config: Config, log: Log, work: (redis: RedisClient) => Promise<T>): Promise<T> {
  const { redisUrl, redisSocket: socket } = config
  if (redisUrl) await reachRedis({ url: redisUrl, socket }, { waitMs: 0, log })
  const redis = await connected(redisUrl ?? (await embeddedUrl(config.dataDir)), log, socket)
  try {
    return await work(redis)
  } finally {
    await redis.close()
  }
}

async function connected(url: string, log: Log, socket: string | undefined): Promise<RedisClient> {
  try {
    return await connectRedis(url, log, socket)
  } catch {
    throw new AdminError('Redis does not answer: this command needs the server to run.', 'NO_REDIS')
  }
}

/** The address that the embedded Redis writes to a file at every start. */
async function embeddedUrl(dataDir: string): Promise<string> {
  try {
    const { port, password } = JSON.parse(await readFile(join(dataDir, 'redis.json'), 'utf8'))
    return `redis://:${password}@127.0.0.1:${port}`
  } catch {
    throw new AdminError(`No server runs on the data directory ${dataDir}: this command needs its Redis.`, 'NO_REDIS')
  }
}
