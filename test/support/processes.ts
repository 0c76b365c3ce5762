import { readFileSync } from 'node:fs'

/** Process ids of the children of a process (Linux); none when there is no such process any more. */
export function childrenOf(pid: number): number[] {
  try {
    // What it started from its main thread: all that programs of ours and databases start.
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
