/**
 * Events as an async iterator. Whoever pushes waits until the event was handled, that is until the next one is asked for:
 * nothing is stored here but the event that is next.
 */
export class EventStream<Event> implements AsyncIterableIterator<Event> {
  #offered: { event: Event; handled(): void } | undefined
  #taken: (() => void) | undefined
  #asking: ((result: IteratorResult<Event>) => void) | undefined
  #hasEnded = false

  constructor(private readonly onReturn: () => void) {}

  /** Resolves when the event was handled. */
  push(event: Event): Promise<void> {
    if (this.#hasEnded) return Promise.resolve()
    return new Promise(handled => {
      this.#offered = { event, handled }
      this.#match()
    })
  }

  next(): Promise<IteratorResult<Event>> {
    this.#taken?.()
    this.#taken = undefined
    if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined })
    return new Promise(resolve => {
      this.#asking = resolve
      this.#match()
    })
  }

  /** The loop was left: the event that it held counts as handled, and nobody waits for it any more. */
  return(): Promise<IteratorResult<Event>> {
    this.#taken?.()
    this.#offered?.handled()
    this.end()
    this.onReturn()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** No more events. One that was not handled by now stays so, and comes again when the queue is resumed. */
  end(): void {
    this.#hasEnded = true
    this.#asking?.({ done: true, value: undefined })
    this.#taken = this.#offered = this.#asking = undefined
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #match(): void {
    if (!this.#asking || !this.#offered) return
    const { event, handled } = this.#offered
    const ask = this.#asking
    this.#offered = this.#asking = undefined
    this.#taken = handled
    ask({ done: false, value: event })
  }
}
