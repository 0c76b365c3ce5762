import { existsSync, readFileSync } from 'node:fs'
import { childrenOf } from '../../support/processes.js'

/** Process ids of a supervisor's workers, including starting ones. */
export function workersOf(supervisor: number | undefined): number[] {
  if (supervisor === undefined) return []
  return childrenOf(supervisor).filter(pid => environmentOf(pid).includes('PARLEY_ROLE=worker'))
}

/** Empty if the process has ended. */
export function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Number of listening sockets on a local port: each serving worker has one. */
export function listenersOn(port: number): number {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(hex)).length
}

/** False if the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** Resident memory of a process in bytes; 0 if the process has ended. */
export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const [, kilobytes] = (existsSync(file) && /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))) || []
  return Number(kilobytes ?? 0) * 1024
}
