import { setTimeout as sleep } from 'node:timers/promises'

const shortestMilliseconds = 100
const longestMilliseconds = 5_000
// What ran this long did not die of what killed it at the start.
const healthyMilliseconds = 10_000

/** How long to wait before something that died is started again: longer each time it dies soon. */
export class Backoff {
  #next = shortestMilliseconds
  #last = performance.now()

  async wait(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#last > healthyMilliseconds) this.#next = shortestMilliseconds
    const milliseconds = this.#next
    this.#next = Math.min(milliseconds * 2, longestMilliseconds)
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
    this.#last = performance.now()
  }

  /** It has served: whatever it died of, it can start. */
  reset(): void {
    this.#next = shortestMilliseconds
  }
}
