const longestWaitMs = 1_000

interface Awaited {
  readonly since: number
  readonly ended: Promise<void>
  readonly end: () => void
}

/** Jobs for whose end requests of this worker wait, by their ids. An entry goes when an attempt ends, or after some seconds. */
export class AwaitedJobs {
  private readonly jobs = new Map<number, Awaited>()

  add(id: number): void {
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    this.jobs.set(id, { since: performance.now(), ended, end })
  }

  /** An attempt has ended in this worker. */
  end(id: number): void {
    this.jobs.get(id)?.end()
    this.jobs.delete(id)
  }

  /** Waits for those of these jobs that have not ended, for a second at most: another worker may run one, or it may wait for another attempt. */
  async ended(ids: readonly number[]): Promise<void> {
    const waiting = ids.flatMap(id => this.jobs.get(id)?.ended ?? [])
    if (waiting.length === 0) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, longestWaitMs)
    })
    await Promise.race([Promise.all(waiting), late])
    clearTimeout(timer)
  }

  /** Jobs for which no request waits any more. */
  forgetOld(): void {
    const before = performance.now() - 2 * longestWaitMs
    for (const [id, { since }] of this.jobs) if (since < before) this.jobs.delete(id)
  }
}
