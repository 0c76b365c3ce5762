import { setTimeout as sleep } from 'node:timers/promises'

const shortestMs = 100
const longestMs = 5_000
// A process that ran this long did not die of a failure at its start.
const healthyMs = 10_000

/** Waits before a restart of a dead process: longer each time the process dies soon after its start. */
export class Backoff {
  private next = shortestMs
  private last = performance.now()

  async wait(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.last > healthyMs) this.next = shortestMs
    const milliseconds = this.next
    this.next = Math.min(milliseconds * 2, longestMs)
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
    this.last = performance.now()
  }

  /** The process has worked, so the next restart waits only the shortest time. */
  reset(): void {
    this.next = shortestMs
  }
}
