import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * State and start time of a process on Linux. A zombie has ended but its parent has not waited for it; it stays a zombie if the
 * first process of a container does not reap orphans, and `kill` treats it as alive.
 */
export function processStat(pid: number): { isZombie: boolean; startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the program's name, can contain spaces, so split after it.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { isZombie: state === 'Z', startTime: fields[18] ?? '' }
  } catch {
    return undefined
  }
}

/**
 * The processes of the named programs whose working directory is the data directory, as for every database server. So this finds
 * each orphan and the remaining children of a killed server; the id in a pid file alone may belong to another process by now.
 */
export function processesIn(directory: string, programs: readonly string[], pidFile: string): number[] {
  const isOurs = process.platform === 'linux' ? worksIn(realpathSync(directory)) : () => true
  const candidates = process.platform === 'linux' ? readdirSync('/proc').map(Number) : [pidIn(join(directory, pidFile))]
  return candidates.filter(pid => pid > 0 && programs.includes(programOf(pid)) && isOurs(pid))
}

/** The process id on the first line of a pid file; 0: none. */
function pidIn(pidFile: string): number {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}

/**
 * Stops the processes of an earlier run in a data directory, first with the signal for an orderly stop. Only the leader (from the
 * pid file) gets that signal, because it has another meaning for a child process of PostgreSQL.
 */
export async function stopOrphans(
  directory: string,
  programs: readonly string[],
  pidFile: string,
  polite: NodeJS.Signals,
): Promise<number> {
  const find = () => processesIn(directory, programs, pidFile)
  const found = find()
  const leader = pidIn(join(directory, pidFile))
  // PostgreSQL treats a zombie as a running server and would never start.
  if (processStat(leader)?.isZombie) rmSync(join(directory, pidFile))
  if (found.length === 0) return 0
  if (found.includes(leader)) send(leader, polite)
  // Children of a killed leader end by themselves soon; a leader may have to write much data before it ends.
  if (await waitUntil(() => find().length === 0, found.includes(leader) ? 20_000 : 5_000)) return found.length
  for (const pid of find()) send(pid, 'SIGKILL')
  await waitUntil(() => find().length === 0, 5_000)
  if (processStat(leader)?.isZombie) rmSync(join(directory, pidFile), { force: true })
  return found.length
}

/** Checks the condition every 10 ms; false if it is not true within `milliseconds`. */
export async function waitUntil(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!condition()) {
    if (performance.now() > end) return false
    await sleep(10)
  }
  return true
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}

function worksIn(directory: string) {
  return (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory
    } catch {
      return false
    }
  }
}

function programOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    const path = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return path.slice(path.lastIndexOf('/') + 1)
  } catch {
    return ''
  }
}
