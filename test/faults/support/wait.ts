import { setTimeout as sleep } from 'node:timers/promises'

/** For what is expensive to look at: the sockets of the whole machine. */
export const seldom = { everyMs: 200 }

/**
 * Waits for what is to come; only a test that fails waits long.
 * @throws when it does not come.
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
