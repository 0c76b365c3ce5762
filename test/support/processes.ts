import { readFileSync } from 'node:fs'

/** Process ids of a process's children (Linux); none if the process has ended. */
export function childrenOf(pid: number): number[] {
  try {
    // Children of its main thread: the server's programs and the databases start no others.
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
