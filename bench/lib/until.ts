import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what should happen. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(20)
}
