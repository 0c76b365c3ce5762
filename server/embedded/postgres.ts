import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../disk/owned-paths.js'
import { StartError } from '../failures/start-error.js'
import type { Log } from '../log.js'
import { databaseAccount, giveTo } from './account.js'
import { loadCredentials } from './credentials.js'
import { type Daemon, lastFatalLine, startDaemon } from './daemon.js'
import type { EmbeddedServer } from './embedded-server.js'
import { isFree } from './ports.js'
import { postgresBinaries } from './postgres-binaries.js'
import { createCluster, dataArgument, user } from './postgres-cluster.js'
import { stopOrphans, waitUntil } from './processes.js'
import { fitsSocket, reachableSocket, removeSocket } from './unix-socket.js'

interface PostgresOptions {
  /** Contains the data in `postgres`, the log, and the file with port and password. */
  dataDir: string
  log: Log
  /** Undefined: a free port, stored in `dataDir`. */
  port?: number
  /** Settings that override the defaults of `ourSettings`; a test may use `{ fsync: 'off' }`. */
  settings?: Record<string, string>
}

/** Starts the PostgreSQL of `dataDir`, created at the first start; resolves when it accepts connections. */
export async function startPostgres({
  dataDir,
  log,
  port: fixedPort,
  settings = {},
}: PostgresOptions): Promise<EmbeddedServer> {
  const directory = join(dataDir, 'postgres')
  await createDirectory(dataDir)
  const fresh = !existsSync(directory)
  const account = await databaseAccount(fresh ? dataDir : directory)
  const { initdb, postgres } = await postgresBinaries(account)
  const credentialsFile = join(dataDir, 'postgres.json')
  if (!fresh) {
    // Before the check of the port, because an orphan occupies it.
    const stopped = await stopOrphans(directory, ['postgres'], 'postmaster.pid', 'SIGINT')
    if (stopped) log.warn({ directory, processes: stopped }, 'stopped the PostgreSQL of an earlier run')
    // Root may have restored the data from a backup and so own it.
    if (account) await giveTo(directory, account)
  }
  let { port, password } = await loadCredentials(credentialsFile, fixedPort)
  if (fresh) await createCluster(directory, initdb, { account, password, sync: settings.fsync !== 'off' })

  const logFile = join(dataDir, 'postgres.log')
  for (let attempt = 1; ; attempt++) {
    const socket = join(directory, `.s.PGSQL.${port}`)
    removeSocket(socket)
    const own = { ...ourSettings(), unix_socket_directories: socketDirectory(directory, socket), port: String(port) }
    const args = ['-D', dataArgument(directory), ...flags({ ...own, ...settings })]
    const daemon = await startDaemon({ directory, command: postgres, args, account, logFile, stopSignal: 'SIGINT' })
    if (await isReady(daemon, directory)) {
      log.info({ port, process: daemon.pid }, 'PostgreSQL is ready')
      const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`
      return { ...daemon, url, socket: await reachableSocket(socket) }
    }
    // Retry if another process took the port between the check and the start.
    if (attempt === 3 || fixedPort || (await isFree(port)))
      throw new StartError(`PostgreSQL did not start: ${lastFatalLine(logFile)} (more in ${logFile}).`)
    ;({ port, password } = await loadCredentials(credentialsFile, fixedPort))
  }
}

/** Settings for a small server; all others keep PostgreSQL's defaults. */
function ourSettings(): Record<string, string> {
  const megabytes = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
  return {
    listen_addresses: '127.0.0.1',
    // Enough for 16 workers with 10 connections each on a machine of 16 cores, and for tools.
    max_connections: '200',
    // Only a part of the memory: Redis and the workers run on the same machine.
    shared_buffers: `${Math.round(Math.min(512, Math.max(32, megabytes / 8)))}MB`,
    effective_cache_size: `${Math.round(Math.max(64, megabytes / 2))}MB`,
    // An acknowledged write is on disk; invariant I1 needs this.
    fsync: 'on',
    synchronous_commit: 'on',
    // On SSDs random reads cost about as much as sequential reads.
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // Without the errors of statements: they quote values, and the worker logs failed statements.
    log_min_messages: 'log',
  }
}

/** The socket's directory: the data directory, which only its owner can enter, on Linux by a short path. '': no socket. */
const socketDirectory = (directory: string, socket: string): string =>
  fitsSocket(socket) ? dataArgument(directory) : ''

function flags(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Like pg_ctl, reads the pid file, into which PostgreSQL writes when it is ready. No time limit: recovery can take long. */
async function isReady(daemon: Daemon, directory: string): Promise<boolean> {
  const readsReady = () => {
    try {
      const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
      return Number(lines[0]) === daemon.pid && lines[7]?.trim() === 'ready'
    } catch {
      return false
    }
  }
  await waitUntil(() => daemon.hasExited() || readsReady(), Infinity)
  return !daemon.hasExited()
}
