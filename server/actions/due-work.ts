import type { Ctx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'

// Work that another worker left undone is found after this time.
const intervalMs = 5_000

export interface DueWorkOptions {
  /** Claims and does one piece of work. False: none is due. It leaves its work to other workers when `ending` aborts. */
  readonly doOne: (ctx: Ctx, ending: AbortSignal) => Promise<boolean>
  /** Pieces that this worker does at once. */
  readonly atOnce: number
  /** Logged when a piece fails; the next interval retries. */
  readonly failure: string
}

/** Does work whose rows have a due time: at once when a piece arrived at this worker, and now and then for pieces that other workers left. */
export class DueWork {
  readonly #running = new Set<Promise<void>>()
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #ctx: Ctx | undefined

  constructor(private readonly options: DueWorkOptions) {}

  start(ctx: Ctx): void {
    this.#ctx = ctx
    this.#timer = setInterval(() => this.wake(), intervalMs)
  }

  /** Work may be waiting. */
  wake(): void {
    const ctx = this.#ctx
    if (!ctx || this.#running.size >= this.options.atOnce) return
    const running = this.#work(ctx).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #work(ctx: Ctx): Promise<void> {
    try {
      while (this.#ctx && (await this.options.doOne(ctx, this.#ending.signal)));
    } catch (error) {
      logFailure(ctx, error, this.options.failure)
    }
  }

  /** Resolves when the work under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#ctx = undefined
    this.#ending.abort()
    await Promise.all(this.#running)
  }
}
