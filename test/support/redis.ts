import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedServer } from '../../server/embedded/embedded-server.js'
import { startPostgres } from '../../server/embedded/postgres.js'
import { startRedis } from '../../server/embedded/redis.js'
import { createLog } from '../../server/log.js'
import type { Services, Teardown } from './services.js'

/** Databases that only this test uses, so that it may kill and restart them on the same data. */
export async function ownServices(
  t: Teardown,
): Promise<Services & { redis(): EmbeddedServer; restartRedis(): Promise<void>; restartPostgres(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-own-'))
  const log = createLog('error', 'test')
  let [postgres, redis] = await Promise.all([startPostgres({ dataDir, log }), startRedis({ dataDir, log })])
  t.teardown(async () => {
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    redis: () => redis,
    async restartRedis() {
      await redis.kill()
      redis = await startRedis({ dataDir, log })
    },
    async restartPostgres() {
      await postgres.kill()
      postgres = await startPostgres({ dataDir, log })
    },
  }
}
