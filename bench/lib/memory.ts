import { readdirSync, readFileSync } from 'node:fs'
import { pidsBelow } from './cpu.js'

export type Role = 'worker' | 'decoder' | 'supervisor' | 'redis' | 'postgres'

export interface ProcessMemory {
  readonly pid: number
  readonly role: Role
  /** Private memory and a share of shared buffers, in bytes, without file pages that other programs share. */
  readonly bytes: number
  /** Proportional set size in bytes: everything, with a share of what several processes use. */
  readonly proportional: number
  readonly openFiles: number
}

/** Memory of a server and its descendants. */
export function memoryBelow(root: number): ProcessMemory[] {
  return pidsBelow(root).flatMap(pid => {
    try {
      const { bytes, proportional } = sizesOf(pid)
      return [{ pid, role: roleOf(pid), bytes, proportional, openFiles: readdirSync(`/proc/${pid}/fd`).length }]
    } catch (error) {
      // The process has ended meanwhile.
      if (['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return []
      throw error
    }
  })
}

/**
 * Returns a function that reads the bytes of a server's only worker, to call while something is measured: `memoryBelow` occupies a core
 * for 27 ms, mostly with the shared memory of PostgreSQL.
 */
export function workerMemory(root: number): () => number {
  const worker = memoryBelow(root).find(({ role }) => role === 'worker')
  if (!worker) throw new Error('the server has no worker')
  return () => sizesOf(worker.pid).bytes
}

const lookMs = 50

/** Looks at the bytes of a server's only worker until `stop`, which returns the greatest size. */
export function greatestMemory(root: number): { stop(): number } {
  const look = workerMemory(root)
  let most = look()
  const timer = setInterval(() => {
    most = Math.max(most, look())
  }, lookMs)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

function sizesOf(pid: number): { bytes: number; proportional: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
  return { bytes: (kilobytes('Pss_Anon') + kilobytes('Pss_Shmem')) * 1024, proportional: kilobytes('Pss') * 1024 }
}

function roleOf(pid: number): Role {
  const program = readFileSync(`/proc/${pid}/comm`, 'utf8')
  if (program.startsWith('postgres')) return 'postgres'
  if (/^(redis|valkey)/.test(program)) return 'redis'
  if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('decoder')) return 'decoder'
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes('PARLEY_ROLE=worker')
    ? 'worker'
    : 'supervisor'
}
