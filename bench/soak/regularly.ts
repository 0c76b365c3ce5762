import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs functions repeatedly with a pause after each run, until `stop`; `fail` gets their errors. */
export class Regularly {
  private readonly abort = new AbortController()
  private readonly loops: Promise<void>[] = []

  constructor(private readonly fail: (error: Error) => void) {
    // Each loop adds a listener.
    setMaxListeners(0, this.abort.signal)
  }

  every(pauseMs: () => number, act: () => unknown): void {
    this.loops.push(this.loop(pauseMs, act).catch(error => this.fail(error as Error)))
  }

  private async loop(pauseMs: () => number, act: () => unknown): Promise<void> {
    const { signal } = this.abort
    for (;;) {
      await sleep(pauseMs(), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await act()
    }
  }

  /** Resolves when all running functions have ended. */
  async stop(): Promise<void> {
    this.abort.abort()
    await Promise.all(this.loops)
  }
}
