import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, processStat } from './processes.js'
import { StartError } from './start-error.js'

/**
 * Makes this process the only server of a data directory; returns how to give it back.
 * @throws {StartError} when another one runs on it.
 */
export function lockDirectory(directory: string): () => void {
  const lock = join(directory, 'server.lock')
  const draft = `${lock}.${process.pid}`
  try {
    mkdirSync(directory, { recursive: true })
    writeFileSync(draft, identity(process.pid))
  } catch (error) {
    throw new StartError(`DATA_DIR ${directory} cannot be written to: ${(error as Error).message}.`)
  }
  try {
    while (!take(draft, lock)) removeStale(lock, draft, directory)
  } finally {
    rmSync(draft, { force: true })
  }
  return () => rmSync(lock, { force: true })
}

/** Linking is atomic and refuses an existing name: of two starts at once one gets it, and never half a file. */
function take(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeStale(lock: string, draft: string, directory: string): void {
  const holder = read(lock)
  if (holder === undefined) return
  const pid = Number.parseInt(holder, 10)
  if (pid > 0 && isAlive(pid) && identity(pid) === holder)
    throw new StartError(
      `A server (process ${pid}) already runs on ${directory}: stop it first, or choose another DATA_DIR and PORT.`,
    )
  // Moved away, then looked at: if another start was faster, this is its new lock, and it gets it back.
  const moved = `${draft}.stale`
  try {
    renameSync(lock, moved)
  } catch {
    return
  }
  if (read(moved) !== holder) take(moved, lock)
  rmSync(moved)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The number of a process is given to others later, also after a restart of the machine: its start time tells them apart. */
function identity(pid: number): string {
  if (process.platform !== 'linux') return String(pid)
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim()
  const stat = processStat(pid)
  return stat && !stat.isZombie ? `${pid} ${boot} ${stat.startTime}` : ''
}
