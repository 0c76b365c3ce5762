import { readdirSync, readFileSync } from 'node:fs'
import { pidsBelow } from './cpu.js'

export type Role = 'worker' | 'supervisor' | 'redis' | 'postgres'

export interface ProcessMemory {
  readonly pid: number
  readonly role: Role
  /** Private memory and a share of shared buffers, in bytes, without file pages that other programs share. */
  readonly bytes: number
  readonly openFiles: number
}

/** Memory of a server and its descendants. */
export function memoryBelow(root: number): ProcessMemory[] {
  return pidsBelow(root).flatMap(pid => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
      const bytes = (kilobytes('Pss_Anon') + kilobytes('Pss_Shmem')) * 1024
      return [{ pid, role: roleOf(pid), bytes, openFiles: readdirSync(`/proc/${pid}/fd`).length }]
    } catch (error) {
      // The process has ended meanwhile.
      if (['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) return []
      throw error
    }
  })
}

function roleOf(pid: number): Role {
  const program = readFileSync(`/proc/${pid}/comm`, 'utf8')
  if (program.startsWith('postgres')) return 'postgres'
  if (/^(redis|valkey)/.test(program)) return 'redis'
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes('PARLEY_ROLE=worker')
    ? 'worker'
    : 'supervisor'
}
