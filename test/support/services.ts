import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../server/embedded/postgres.js'
import { startRedis } from '../../server/embedded/redis.js'
import { createLog } from '../../server/log.js'

export interface Services {
  readonly databaseUrl: string
  readonly redisUrl: string
}

/** The used part of tap's `t`: cleanup functions. */
export interface Teardown {
  teardown(clean: () => unknown): unknown
}

/**
 * PostgreSQL and Redis for one test file: those of the test run if the runner started some (each file has its own
 * schema and key prefix), otherwise a pair that is stopped after the test.
 */
export async function services(t: Teardown): Promise<Services> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = process.env
  if (databaseUrl && redisUrl) return { databaseUrl, redisUrl }
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const log = createLog('error', 'test')
  const [postgres, redis] = await Promise.all([
    startPostgres({ dataDir, log, settings: { fsync: 'off' } }),
    startRedis({ dataDir, log }),
  ])
  t.teardown(async () => {
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(dataDir, { recursive: true, force: true })
  })
  return { databaseUrl: postgres.url, redisUrl: redis.url }
}
