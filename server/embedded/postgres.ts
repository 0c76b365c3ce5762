import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../log.js'
import { type Account, databaseAccount, giveTo } from './account.js'
import { loadCredentials } from './credentials.js'
import { type Daemon, lastFatalLine, startDaemon } from './daemon.js'
import type { EmbeddedServer } from './embedded-server.js'
import { isFree } from './ports.js'
import { postgresBinaries } from './postgres-binaries.js'
import { stopOrphans, waitUntil } from './processes.js'
import { StartError } from './start-error.js'

export interface PostgresOptions {
  /** The data lies in `postgres` below it, beside the log and the file with port and password. */
  dataDir: string
  log: Log
  /** Undefined: a free one, remembered in `dataDir`. */
  port?: number
  /** Settings that differ from ours; a test may want `{ fsync: 'off' }`. */
  settings?: Record<string, string>
}

const user = 'parley'
// PostgreSQL turns its data directory into an absolute path, which the account it runs under may be unable to walk (a
// clone below /root). This name always leads to where the process already is.
const here = process.platform === 'linux' ? '/proc/self/cwd' : '.'

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
  let { port, password } = await loadCredentials(credentialsFile, fixedPort)
  if (fresh) await createCluster(directory, initdb, account, password, settings.fsync !== 'off')
  // Also data that root copied back from a backup.
  else if (account) await giveTo(directory, account)
  const stopped = await stopOrphans(directory, ['postgres'], 'postmaster.pid', 'SIGINT')
  if (stopped) log.warn({ directory, processes: stopped }, 'stopped the PostgreSQL of an earlier run')

  const logFile = join(dataDir, 'postgres.log')
  for (let attempt = 1; ; attempt++) {
    const args = ['-D', here, ...flags({ ...ourSettings(), port: String(port), ...settings })]
    const daemon = await startDaemon({ directory, command: postgres, args, account, logFile, stopSignal: 'SIGINT' })
    if (await isReady(daemon, directory)) {
      log.info({ port, process: daemon.pid }, 'PostgreSQL is ready')
      return { ...daemon, url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres` }
    }
    // Somebody else took the port between our look and its start.
    if (attempt === 3 || fixedPort || (await isFree(port)))
      throw new StartError(`PostgreSQL did not start: ${lastFatalLine(logFile)} (more in ${logFile}).`)
    ;({ port, password } = await loadCredentials(credentialsFile, fixedPort))
  }
}

/** Made aside and renamed, so that a first start that was killed leaves no half of a cluster. */
async function createCluster(
  directory: string,
  initdb: string,
  account: Account | undefined,
  password: string,
  sync: boolean,
): Promise<void> {
  const draft = `${directory}.new`
  const passwordFile = `${directory}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  if (account) await giveTo(draft, account)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) await giveTo(passwordFile, account)
  const passwordFd = openSync(passwordFile, 'r')
  try {
    const made = spawnSync(
      initdb,
      [
        `--pgdata=${process.platform === 'linux' ? here : draft}`,
        `--username=${user}`,
        `--pwfile=${process.platform === 'linux' ? '/proc/self/fd/3' : passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Sorts and folds by PostgreSQL's own tables: an update of the machine's C library cannot break an index.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        // The text search parser asks the C library what a letter is; in the locale C all of Unicode is letters.
        `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
        '--no-instructions',
        ...(sync ? [] : ['--no-sync']),
      ],
      {
        cwd: draft,
        ...account,
        env: { PATH: process.env.PATH, LC_ALL: '', LANG: 'C' },
        stdio: ['ignore', 'pipe', 'pipe', passwordFd],
      },
    )
    if (made.status !== 0)
      throw new StartError(
        `The PostgreSQL database could not be created: ${lastLine(made.stderr) || made.error?.message}`,
      )
  } finally {
    closeSync(passwordFd)
    rmSync(passwordFile)
  }
  await chmod(draft, 0o700)
  await rename(draft, directory)
}

/** For a small server; what is not named here is PostgreSQL's default. */
function ourSettings(): Record<string, string> {
  const megabytes = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
  return {
    listen_addresses: '127.0.0.1',
    // A socket's path has room for 107 characters, DATA_DIR may have more.
    unix_socket_directories: '',
    // 256 workers never run here; 200 leaves a machine of 16 cores room for tools beside 16 × 8 connections.
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
  }
}

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

function lastLine(output: Buffer | null): string {
  return output?.toString().trim().split('\n').at(-1) ?? ''
}
