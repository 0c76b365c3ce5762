import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.js'
import { createLog } from '../../log.js'
import { connectRedis } from '../../redis/client.js'
import { hasFeed } from '../../redis/has-feed.js'
import type { Storage } from '../../storage/storage.js'
import { AdminError } from '../admin-error.js'

/** Refuses a place that another organization uses; the schema of the database is looked at when it is filled. @throws {AdminError} */
export async function requireEmptyTarget(config: Config, storage: Storage, organization: string): Promise<void> {
  const { dataDir, filesDir, databaseUrl, redisUrl, s3 } = config
  for (const [url, part] of [
    [databaseUrl, 'postgres'],
    [redisUrl, 'redis'],
  ] as const) {
    const directory = join(dataDir, part)
    if (url === undefined && existsSync(directory)) throw notEmpty(`${directory} exists`, 'DATA_DIR')
  }
  if (!(await storage.isEmpty())) {
    throw s3
      ? notEmpty(`The bucket ${s3.bucket} has files`, 'S3_BUCKET')
      : notEmpty(`${filesDir} has files`, 'FILES_DIR or DATA_DIR')
  }
  if (redisUrl !== undefined && (await isUsed(redisUrl, config, organization))) {
    throw notEmpty('Redis has the event queues of this organization', 'KEY_PREFIX')
  }
}

const notEmpty = (what: string, setting: string): AdminError =>
  new AdminError(`${what}: restore into an empty place, with another ${setting}.`, 'NOT_EMPTY')

async function isUsed(url: string, { keyPrefix, redisSocket }: Config, organization: string): Promise<boolean> {
  const redis = await connectRedis(url, createLog('silent', 'admin'), redisSocket).catch(() => {
    throw new AdminError('The Redis of REDIS_URL does not answer.', 'NO_REDIS')
  })
  try {
    return await hasFeed(redis, keyPrefix, organization)
  } finally {
    await redis.close()
  }
}

/** Removes the database that a failed restore created in DATA_DIR. */
export async function removeCreated({ dataDir, databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== undefined) return
  for (const name of ['postgres', 'postgres.json', 'postgres.log']) {
    await rm(join(dataDir, name), { recursive: true, force: true })
  }
}
