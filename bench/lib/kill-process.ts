import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 5

/**
 * Kills a process of which another one is the parent, and waits until that one has buried it: before, some of its threads may
 * not have ended, its files are open, and the kernel gives connections to its share of the port, which are reset a moment later.
 */
export async function killProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  while (existsSync(`/proc/${pid}`)) await sleep(lookMs)
}
