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
 * What Linux tells of a process. A zombie is dead, but its parent has not noticed: where the first process of a container
 * does not care for orphans, it stays so, and to `kill` it looks alive.
 */
export function processStat(pid: number): { isZombie: boolean; startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the program's name, may hold spaces: count from behind it.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { isZombie: state === 'Z', startTime: fields[18] ?? '' }
  } catch {
    return undefined
  }
}

/**
 * The processes of the named programs that work in a data directory. A database server's working directory is its data
 * directory, so this finds an orphan however it was started, and also what a killed one left behind; a number in a pid
 * file alone may by now belong to somebody else.
 */
export function processesIn(directory: string, programs: readonly string[], pidFile: string): number[] {
  const isOurs = process.platform === 'linux' ? worksIn(realpathSync(directory)) : () => true
  const candidates = process.platform === 'linux' ? readdirSync('/proc').map(Number) : [pidIn(join(directory, pidFile))]
  return candidates.filter(pid => pid > 0 && programs.includes(programOf(pid)) && isOurs(pid))
}

/** The number on the first line of a pid file; 0 when there is none. */
export function pidIn(pidFile: string): number {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || 0
  } catch {
    return 0
  }
}

/**
 * Stops what an earlier run left behind in a data directory, politely first: only its leader (of the pid file) gets the
 * polite signal, because to a helper of PostgreSQL the same signal means something else.
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
  // PostgreSQL takes a zombie for a living server, and would never start again.
  if (processStat(leader)?.isZombie) rmSync(join(directory, pidFile))
  if (found.length === 0) return 0
  if (found.includes(leader)) send(leader, polite)
  // Helpers of a killed leader notice it by themselves within moments; a leader may have to write a lot.
  if (await waitUntil(() => find().length === 0, found.includes(leader) ? 20_000 : 5_000)) return found.length
  for (const pid of find()) send(pid, 'SIGKILL')
  await waitUntil(() => find().length === 0, 5_000)
  if (processStat(leader)?.isZombie) rmSync(join(directory, pidFile), { force: true })
  return found.length
}

/** Looks every 10 ms; false when it did not become true in time. */
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
    // It went by itself in between.
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
