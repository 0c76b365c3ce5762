import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 5

/**
 * Kills a child of another process and waits until that process has reaped it. Before that, threads may still run,
 * files are open, and the kernel accepts connections for its share of the port and resets them a moment later.
 */
export async function killProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  while (existsSync(`/proc/${pid}`)) await sleep(lookMs)
}
