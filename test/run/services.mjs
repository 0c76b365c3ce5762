import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist } from '../../server/bin/prepare.mjs'

const sharedMemory = '/dev/shm'
// Bytes: several times what the databases of a run take at once.
const spaceNeeded = 2 ** 31

/**
 * One PostgreSQL and one Redis for all tests of a run, with data in a temporary folder: the settings with their addresses
 * and how to stop them. Without them each file starts its own.
 */
export async function startServices() {
  const dataDir = mkdtempSync(join(folderOfData(), 'parley-run-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const load = path => import(pathToFileURL(join(dist, 'server', path)).href)
    const { startPostgres } = await load('embedded/postgres.js')
    const { startRedis } = await load('embedded/redis.js')
    const { createLog } = await load('log.js')
    const { createTemplate } = await import(pathToFileURL(join(dist, 'test/support/template.js')).href)
    const log = createLog('error', 'test')
    // Test data need not survive a power failure, so the databases do not wait for the disk.
    const postgres = await startPostgres({ dataDir, log, settings: { fsync: 'off', full_page_writes: 'off' } })
    const redis = await startRedis({ dataDir, log, extraArgs: ['--appendfsync', 'no'] })
    const template = await createTemplate(postgres.url)
    return {
      env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url, TEST_TEMPLATE: template },
      async stop() {
        await Promise.all([postgres.stop(), redis.stop()])
        remove()
      },
    }
  } catch (error) {
    console.error('Without databases for all tests:', error)
    return { env: {}, stop: async () => remove() }
  }
}

/**
 * Linux's file system in memory if it has the space: each test file creates and drops a database of hundreds of files, and ext4
 * takes up to 0.4 s of CPU to do so when many files were deleted just before.
 */
function folderOfData() {
  if (!existsSync(sharedMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize > spaceNeeded ? sharedMemory : tmpdir()
}
