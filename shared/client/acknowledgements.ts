export interface AckOptions {
  /** At most so many handled events are unacknowledged. */
  readonly events?: number
  /** At most for so long. */
  readonly ms?: number
}

/** Tells the server which events have been handled: not each of them, but soon. */
export class Acknowledgements {
  #handled = -1
  #told = -1
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #events: number
  readonly #ms: number

  constructor(
    private readonly send: (lastEventId: number) => void,
    // The server writes what is not acknowledged to its log every half second: sooner than that spares it the work.
    { events = 100, ms = 200 }: AckOptions = {},
  ) {
    this.#events = events
    this.#ms = ms
  }

  handled(id: number): void {
    this.#handled = id
    this.#count += 1
    if (this.#count >= this.#events) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), this.#ms)
  }

  /** Tells what has not been told. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#count = 0
    if (this.#handled <= this.#told) return
    this.#told = this.#handled
    this.send(this.#handled)
  }

  /** `attach` told the server that we are at `told`; since then we may have come further. */
  restart(told: number, handled = told): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#count = 0
    this.#told = told
    this.#handled = told
    if (handled > told) this.handled(handled)
  }
}
