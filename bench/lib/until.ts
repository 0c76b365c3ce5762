import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the condition is true. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(20)
}
