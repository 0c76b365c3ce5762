import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { inheritOwner } from '../disk/owned-paths.js'
import { StartError } from '../failures/start-error.js'
import type { Account } from './account.js'

/** How to run a database server. */
interface DaemonOptions {
  /** Its data directory, which is also its working directory: by this `processesIn` finds the process. */
  directory: string
  command: string
  args: readonly string[]
  account: Account | undefined
  logFile: string
  /** The signal for an orderly stop. */
  stopSignal: 'SIGINT' | 'SIGTERM'
  /** Written to its standard input. */
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

// The log must not fill the disk: above this size it is renamed at a start, and one older file is kept.
const maxLogBytes = 10_000_000
// How long an orderly stop may take before SIGKILL. A final checkpoint can take long on a slow disk; SIGKILL is safe, but makes the
// next start slower.
const stopMs = 30_000

/**
 * Runs a program so that it ends with this process, even after a crash, but does not get the Ctrl-C of this process's terminal:
 * its clients must end before it does.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const log = await openLog(options.logFile)
  const child = spawnDetached(options, log)
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
      const hurry = setTimeout(() => child.kill('SIGKILL'), stopMs)
      await end(options.stopSignal)
      clearTimeout(hurry)
    },
    kill: () => end('SIGKILL'),
  }
}

/** The last line of a log that reports a fatal error, for a message to the operator. */
export function lastFatalLine(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-50)
  const line = lines.findLast(line => /FATAL|PANIC|fatal|Can't|Failed|Bad /.test(line)) ?? lines.at(-1) ?? ''
  // Without the time and the process id, with which both database servers prefix the line.
  return line.replace(/^.*?(?:FATAL: +|PANIC: +| [#*] )/, '').replace(/\.$/, '')
}

/** Closes `log`. */
function spawnDetached(options: DaemonOptions, log: number): ChildProcess {
  // Node cannot ask the kernel for a signal at the parent's death, but setpriv can; without setpriv the next start stops the orphan.
  const wrapper = diesWithParent() ? ['setpriv', '--pdeathsig', options.stopSignal.slice(3), '--'] : []
  const [command = '', ...args] = [...wrapper, options.command, ...options.args]
  try {
    const child = spawn(command, args, {
      // Entered before the account changes, so the account needs no access to the directories above.
      cwd: options.directory,
      ...options.account,
      // Without this server's settings, because they contain secrets.
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

async function openLog(file: string): Promise<number> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
  const log = openSync(file, 'a', 0o600)
  await inheritOwner(file)
  return log
}

function diesWithParent(): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true']).status === 0
}
