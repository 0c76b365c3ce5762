import { setTimeout as sleep } from 'node:timers/promises'

/** For expensive conditions, such as all sockets of the machine. */
export const seldom = { everyMs: 200 }

/**
 * Waits until a condition is true; only a failing test waits long.
 * @throws after the timeout.
 */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { seconds = 60, everyMs = 20 } = {},
): Promise<void> {
  for (const deadline = performance.now() + seconds * 1000; !(await isSo()); ) {
    if (performance.now() > deadline) throw new Error(`did not come within ${seconds} s: ${what}`)
    await sleep(everyMs)
  }
}
