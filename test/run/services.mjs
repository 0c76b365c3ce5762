import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onlyOne } from '../../server/bin/only-one.mjs'
import { dist, filesBelow, root, stampOfFiles } from '../../server/bin/prepare.mjs'

const sharedMemory = '/dev/shm'
// A PostgreSQL cluster with the template database, from which each run has a copy: making one takes longer than a usual test.
const cluster = join(dist, '.test-cluster')
const stampFile = join(cluster, '.stamp')
// The sources that decide what is in it.
const makers = [
  ...['embedded', 'store/driver', 'store/migrations', 'store/schema'].flatMap(path =>
    filesBelow(join(root, 'server', path)),
  ),
  join(root, 'test/support/template.ts'),
  join(root, 'package-lock.json'),
]
// Test data need not survive a power failure, so the databases do not wait for the disk.
const settings = { fsync: 'off', full_page_writes: 'off' }
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
    await makeCluster()
    cpSync(cluster, dataDir, { recursive: true })
    // The copy lacks the mode of the directory, without which PostgreSQL does not start.
    chmodSync(join(dataDir, 'postgres'), 0o700)
    const { startPostgres } = await load('server/embedded/postgres.js')
    const { startRedis } = await load('server/embedded/redis.js')
    const { templateName } = await load('test/support/template.js')
    const log = await errorLog()
    const [postgres, redis] = await Promise.all([
      startPostgres({ dataDir, log, settings }),
      startRedis({ dataDir, log, extraArgs: ['--appendfsync', 'no'] }),
    ])
    return {
      env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url, TEST_TEMPLATE: templateName },
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

/** Creates the kept cluster again if it is of older sources. */
async function makeCluster() {
  const stamp = stampOfFiles(makers)
  const isMade = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (isMade()) return
  await onlyOne(async () => {
    if (isMade()) return
    rmSync(cluster, { recursive: true, force: true })
    const { startPostgres } = await load('server/embedded/postgres.js')
    const { createTemplate } = await load('test/support/template.js')
    const postgres = await startPostgres({ dataDir: cluster, log: await errorLog(), settings })
    await createTemplate(postgres.url)
    await postgres.stop()
    writeFileSync(stampFile, stamp)
  })
}

const load = path => import(pathToFileURL(join(dist, path)).href)

async function errorLog() {
  const { createLog } = await load('server/log.js')
  return createLog('error', 'test')
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
