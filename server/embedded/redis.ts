import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../config/paths.js'
import { createDirectory } from '../disk/owned-paths.js'
import { StartError } from '../failures/start-error.js'
import type { Log } from '../log.js'
import { databaseAccount, giveTo } from './account.js'
import { type Credentials, loadCredentials } from './credentials.js'
import { type Daemon, lastFatalLine, startDaemon } from './daemon.js'
import type { EmbeddedServer } from './embedded-server.js'
import { isFree } from './ports.js'
import { stopOrphans } from './processes.js'
import { redisProgram } from './redis-program.js'
import { fitsSocket, reachableSocket } from './unix-socket.js'

interface RedisOptions {
  /** Contains the data in `redis`, the log, and the file with port and password. */
  dataDir: string
  log: Log
  /** Undefined: a free port, stored in `dataDir`. */
  port?: number
  /** Further command line arguments, for example `['--appendfsync', 'no']`. */
  extraArgs?: readonly string[]
}

/** Starts the Redis of `dataDir`; resolves when it has read its data and answers. */
export async function startRedis({
  dataDir,
  log,
  port: fixedPort,
  extraArgs = [],
}: RedisOptions): Promise<EmbeddedServer> {
  const command = redisProgram(log)
  const directory = join(dataDir, 'redis')
  await createDirectory(directory, 0o700)
  const account = await databaseAccount((await stat(directory)).uid === 0 ? dataDir : directory)
  // Redis itself does not prevent a second process from writing to the same files.
  const stopped = await stopOrphans(directory, ['redis-server', 'valkey-server'], 'redis.pid', 'SIGTERM')
  if (stopped) log.warn({ directory, processes: stopped }, 'stopped the Redis of an earlier run')
  if (account) await giveTo(directory, account)

  const logFile = join(dataDir, 'redis.log')
  const socket = join(directory, 'redis.sock')
  for (let attempt = 1; ; attempt++) {
    const credentials = await loadCredentials(join(dataDir, 'redis.json'), fixedPort)
    const daemon = await startDaemon({
      directory,
      command,
      // Redis reads its settings from standard input: its account needs no access to a file, and `ps` does not show the password.
      args: ['-', ...extraArgs],
      input: configuration(credentials, fitsSocket(socket)),
      account,
      logFile,
      stopSignal: 'SIGTERM',
    })
    if (await isReady(daemon, credentials)) {
      const { port, password } = credentials
      log.info({ port, process: daemon.pid }, 'Redis is ready')
      return { ...daemon, url: `redis://:${password}@127.0.0.1:${port}`, socket: await reachableSocket(socket) }
    }
    // Retry if another process took the port between the check and the start.
    if (attempt === 3 || fixedPort || (await isFree(credentials.port)))
      throw new StartError(`Redis did not start: ${lastFatalLine(logFile)} (more in ${logFile}).`)
  }
}

function configuration({ port, password }: Credentials, hasSocket: boolean): string {
  return `${readFileSync(join(projectRoot, 'redis.conf'), 'utf8')}
port ${port}
requirepass ${password}
dir .
pidfile ./redis.pid
logfile ""
${hasSocket ? 'unixsocket ./redis.sock\nunixsocketperm 700\n' : ''}`
}

async function isReady(daemon: Daemon, credentials: Credentials): Promise<boolean> {
  while (!daemon.hasExited()) {
    if (await answers(credentials)) return true
    await sleep(10)
  }
  return false
}

/** While Redis loads its data, it accepts connections and answers -LOADING; another server on the port rejects the password. */
function answers({ port, password }: Credentials): Promise<boolean> {
  return new Promise(resolve => {
    let reply = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`AUTH ${password}\r\nPING\r\nQUIT\r\n`))
    // Another server on the port may not answer at all.
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', data => {
      reply += data
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(/^\+OK\r\n\+PONG/.test(reply)))
  })
}
