import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of the children of a process (Linux). */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(child => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })
}
