import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../log.js'
import { databaseAccount, giveTo } from './account.js'
import { loadCredentials } from './credentials.js'
import { type Daemon, lastFatalLine, startDaemon } from './daemon.js'
import type { EmbeddedServer } from './embedded-server.js'
import { isFree } from './ports.js'
import { postgresBinaries } from './postgres-binaries.js'
import { createCluster, dataArgument, user } from './postgres-cluster.js'
import { stopOrphans, waitUntil } from './processes.js'
import { StartError } from './start-error.js'
import { fitsSocket, reachableSocket, removeSocket } from './unix-socket.js'

export interface PostgresOptions {
  /** The data lies in `postgres` below it, beside the log and the file with port and password. */
  dataDir: string
  log: Log
  /** Undefined: a free one, remembered in `dataDir`. */
  port?: number
  /** Settings that differ from ours; a test may want `{ fsync: 'off' }`. */
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
  await mkdir(dataDir, { recursive: true })
  const fresh = !existsSync(directory)
  const account = await databaseAccount(fresh ? dataDir : directory)
  const { initdb, postgres } = await postgresBinaries(account)
  const credentialsFile = join(dataDir, 'postgres.json')
  if (!fresh) {
    // Before the port is looked at: an orphan holds it.
    const stopped = await stopOrphans(directory, ['postgres'], 'postmaster.pid', 'SIGINT')
    if (stopped) log.warn({ directory, processes: stopped }, 'stopped the PostgreSQL of an earlier run')
    // Data that root copied back from a backup.
    if (account) await giveTo(directory, account)
  }
  let { port, password } = await loadCredentials(credentialsFile, fixedPort)
  if (fresh) await createCluster(directory, initdb, account, password, settings.fsync !== 'off')

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
    // Somebody else took the port between our look and its start.
    if (attempt === 3 || fixedPort || (await isFree(port)))
      throw new StartError(`PostgreSQL did not start: ${lastFatalLine(logFile)} (more in ${logFile}).`)
    ;({ port, password } = await loadCredentials(credentialsFile, fixedPort))
  }
}

/** For a small server; what is not named here is PostgreSQL's default. */
function ourSettings(): Record<string, string> {
  const megabytes = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
  return {
    listen_addresses: '127.0.0.1',
    // 256 workers never run here; 200 leaves a machine of 16 cores room for tools beside 16 × 10 connections.
    max_connections: '200',
    // A part of the memory only: Redis and the workers live on the same machine.
    shared_buffers: `${Math.round(Math.min(512, Math.max(32, megabytes / 8)))}MB`,
    effective_cache_size: `${Math.round(Math.max(64, megabytes / 2))}MB`,
    // An acknowledged write is on the disk: the first invariant of this server.
    fsync: 'on',
    synchronous_commit: 'on',
    // Disks without heads: reading anywhere costs the same.
    random_page_cost: '1.1',
    // Our queries are short: compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    // Not what statements fail with: it quotes values, and the worker's own log has the rest of it.
    log_min_messages: 'log',
  }
}

/** The data directory, which only its owner enters; on Linux under a name that is short for the server. '': none. */
const socketDirectory = (directory: string, socket: string): string =>
  fitsSocket(socket) ? dataArgument(directory) : ''

function flags(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** As pg_ctl does: the server itself writes into its pid file when it is ready. No time limit: recovery takes its time. */
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
