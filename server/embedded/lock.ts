import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDirectory, inheritOwner } from '../disk/owned-paths.js'
import { StartError } from '../failures/start-error.js'
import { isAlive, processStat } from './processes.js'

/**
 * Makes this process the only server of a data directory, which is created if it does not exist; returns a function that releases the lock.
 * @throws {StartError} if another server runs on the directory, or this process cannot write there.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const lock = join(directory, 'server.lock')
  const draft = `${lock}.${process.pid}`
  try {
    await createDirectory(directory)
    writeFileSync(draft, identity(process.pid))
    try {
      await inheritOwner(draft)
      while (!take(draft, lock)) removeStale(lock, draft, directory)
    } finally {
      rmSync(draft, { force: true })
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`DATA_DIR ${directory} cannot be written to: ${(error as Error).message}.`)
  }
  return () => rmSync(lock, { force: true })
}

/** Creating a link is atomic and fails if the name exists: of two starts at once only one succeeds, with a complete file. */
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
  // Move the file away, then read it: if another start was faster, this is its new lock and has to be put back.
  const moved = `${draft}.stale`
  try {
    renameSync(lock, moved)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  if (read(moved) !== holder) take(moved, lock)
  rmSync(moved)
}

/** Undefined: there is no such file. Any other error is thrown: a lock that stays unreadable would be tried without end. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** The kernel reuses process ids, also after a reboot; boot id and start time make the identity unique. */
function identity(pid: number): string {
  if (process.platform !== 'linux') return String(pid)
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim()
  const stat = processStat(pid)
  return stat && !stat.isZombie ? `${pid} ${boot} ${stat.startTime}` : ''
}
