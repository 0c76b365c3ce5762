import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Account } from './account.js'
import { StartError } from './start-error.js'

/** How a database server is run. */
export interface DaemonOptions {
  /** Its data directory, which is also its working directory: `processesIn` finds it by that. */
  directory: string
  command: string
  args: readonly string[]
  account: Account | undefined
  logFile: string
  /** What makes it stop in good order. */
  stopSignal: 'SIGINT' | 'SIGTERM'
  /** Given to it on its standard input. */
  input?: string
}

/** A running database server process. */
export interface Daemon {
  readonly pid: number
  readonly exited: Promise<string>
  hasExited(): boolean
  stop(): Promise<void>
  kill(): Promise<void>
}

// A log that nobody rotates must not fill the disk: one older file of this size is kept.
const maxLogBytes = 10_000_000
// A last checkpoint or a last rewrite may take long on a slow disk; ending it hard is safe, only slower at the next start.
const stopMilliseconds = 30_000

/**
 * Runs a program so that it dies with us, however we die, but does not hear the Ctrl-C of our terminal: its clients must
 * end before it does.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const child = spawnDetached(options)
  let gone = false
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => {
      gone = true
      resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error =>
      reject(new StartError(`${basename(options.command)} could not be started: ${error.message}.`)),
    )
  })
  const end = async (signal: NodeJS.Signals) => {
    if (!gone) child.kill(signal)
    await exited
  }
  return {
    pid: child.pid as number,
    exited,
    hasExited: () => gone,
    async stop() {
      const hurry = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds)
      await end(options.stopSignal)
      clearTimeout(hurry)
    },
    kill: () => end('SIGKILL'),
  }
}

/** The last line of a log that tells of something fatal, for a sentence to the user. */
export function lastFatalLine(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-50)
  const line = lines.findLast(line => /FATAL|PANIC|fatal|Can't|Failed|Bad /.test(line)) ?? lines.at(-1) ?? ''
  // Without the time and the process that both kinds of server put before it.
  return line.replace(/^.*?(?:FATAL: +|PANIC: +| [#*] )/, '').replace(/\.$/, '')
}

function spawnDetached(options: DaemonOptions): ChildProcess {
  const log = openLog(options.logFile)
  // Only setpriv can ask the kernel for a signal at the parent's death; without it the next start finds the orphan.
  const wrapper = diesWithParent() ? ['setpriv', '--pdeathsig', options.stopSignal.slice(3), '--'] : []
  const [command = '', ...args] = [...wrapper, options.command, ...options.args]
  try {
    const child = spawn(command, args, {
      // Entered before the account changes: the account need not be able to reach it by its path.
      cwd: options.directory,
      ...options.account,
      // None of our settings: they hold secrets.
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', log, log],
      detached: true,
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.input)
    return child
  } finally {
    closeSync(log)
  }
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function diesWithParent(): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).status === 0
}
