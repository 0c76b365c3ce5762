import { availableParallelism, totalmem } from 'node:os'
import { version } from '../config/version.js'
import { type Config, ownUrl } from '../config.js'
import { prepareOrganization } from '../demo/prepare.js'
import type { EmbeddedServer } from '../embedded/embedded-server.js'
import { keepRunning } from '../embedded/keep-running.js'
import { lockDirectory } from '../embedded/lock.js'
import { startPostgres } from '../embedded/postgres.js'
import { startRedis } from '../embedded/redis.js'
import type { Log } from '../log.js'
import { reachRedis, requireUsableRedis } from '../redis/reach-redis.js'
import { reachDatabase } from '../store/driver/reach-database.js'
import { migrate } from '../store/schema/migrate.js'
import { choosePort } from './choose-port.js'
import { warnOfMissingFiles } from './missing-files.js'
import { prepareDirectories } from './prepare-directories.js'
import { listenToSignals, type Signals } from './signals.js'
import { requireUsableCertificate } from './tls-files.js'
import { startWorkers } from './workers.js'

const bytesPerMebibyte = 2 ** 20
// MiB per worker. Less is not enough for a worker with some thousand clients; more makes garbage collections long.
const leastMemory = 512
const mostMemory = 4096

/** Functions that stop what was started; the supervisor calls them in reverse order. */
type Undo = (() => unknown)[]

/**
 * Starts the databases and the workers of one machine, prints `ready`, and stops them at a signal.
 * @throws {StartError} if a part cannot start; the parts that were started are stopped.
 */
export async function supervise(config: Config, log: Log): Promise<void> {
  const signals = listenToSignals()
  const stopAsked = signals.stopAsked.then(() => 'stop' as const)
  const undo: Undo = []
  log.info({ version, node: process.version }, 'starting')
  try {
    const settings = await startDatabases(config, log, undo)
    // Raced with a request to stop, because databases of the operator can delay the start.
    const serving = reachDatabases(config, log).then(() => serve(settings, log, signals, undo))
    if ((await Promise.race([stopAsked, serving])) !== 'stop') await stopAsked
    log.info('stopping')
  } finally {
    for (const stop of undo.reverse()) await stop()
  }
  process.exit(0)
}

/** Starts the embedded databases; returns the settings for the workers, with the chosen port and the addresses of the databases. */
async function startDatabases(config: Config, log: Log, undo: Undo) {
  requireUsableCertificate(config)
  undo.push(await lockDirectory(config.dataDir))
  await prepareDirectories(config)
  const { port, release } = await choosePort(config)
  undo.push(release)
  const { dataDir } = config
  const keep = async (name: string, start: (port?: number) => Promise<EmbeddedServer>) => {
    const server = await keepRunning(name, start, log)
    undo.push(server.stop)
    return server
  }
  // `allSettled`, because a database that is still starting when the other one fails must be stopped as well.
  const [database, redis] = await Promise.allSettled([
    config.databaseUrl
      ? { url: config.databaseUrl, socket: config.databaseSocket }
      : keep('PostgreSQL', port => startPostgres({ dataDir, log, port })),
    config.redisUrl
      ? { url: config.redisUrl, socket: config.redisSocket }
      : keep('Redis', port => startRedis({ dataDir, log, port })),
  ])
  if (database.status === 'rejected') throw database.reason
  if (redis.status === 'rejected') throw redis.reason
  return {
    ...config,
    port,
    databaseUrl: database.value.url,
    databaseSocket: database.value.socket,
    redisUrl: redis.value.url,
    redisSocket: redis.value.socket,
  }
}

/** Waits for the databases of the operator; the embedded ones have been started. */
async function reachDatabases(config: Config, log: Log): Promise<void> {
  const { databaseUrl, databaseSocket, redisUrl, redisSocket, databaseSchema, startWaitMs: waitMs } = config
  if (databaseUrl) await reachDatabase({ url: databaseUrl, socket: databaseSocket }, databaseSchema, { waitMs, log })
  if (!redisUrl) return
  await reachRedis({ url: redisUrl, socket: redisSocket }, { waitMs, log })
  await requireUsableRedis({ url: redisUrl, socket: redisSocket }, log)
}

async function serve(
  settings: Config & { databaseUrl: string; redisUrl: string },
  log: Log,
  signals: Signals,
  undo: Undo,
): Promise<void> {
  const { databaseUrl, redisUrl, databaseSchema, port } = settings
  await migrate({ url: databaseUrl, socket: settings.databaseSocket }, databaseSchema, {
    // Imported on demand, because most starts find nothing to migrate.
    running: async organization => (await import('./running-versions.js')).runningVersions(settings, log, organization),
  })
  const firstSteps = await prepareOrganization(settings, log)
  await warnOfMissingFiles(settings, log)
  const count = settings.workers ?? availableParallelism()
  const workerMemory = settings.workerMemory ?? memoryShare(count)
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATABASE_SOCKET: settings.databaseSocket,
    REDIS_URL: redisUrl,
    REDIS_SOCKET: settings.redisSocket,
    PORT: String(port),
    WORKER_MEMORY: String(workerMemory),
  }
  const workers = startWorkers({
    count,
    env: { ...env, PARLEY_STARTED_AT: String(Date.now()) },
    log,
    hangMs: settings.workerHangSeconds * 1000,
    memoryBytes: workerMemory * bytesPerMebibyte,
  })
  undo.push(() => workers.stop(signals.killNow))
  await workers.listening
  signals.onRoll(workers.roll)
  process.stdout.write(`ready ${ownUrl(settings)}\n`)
  for (const line of firstSteps) process.stderr.write(`${line}\n`)
}

/** MiB for each worker: the workers share half of the memory of the machine or container; the rest is for the databases. */
function memoryShare(workers: number): number {
  // 0, or more than the machine's memory, means that there is no limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const share = Math.floor(Math.min(totalmem(), limit) / 2 / workers / bytesPerMebibyte)
  return Math.min(Math.max(share, leastMemory), mostMemory)
}
