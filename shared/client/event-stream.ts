/**
 * Events as an async iterator. `push` resolves when the event is handled, that is when the loop requests the next one,
 * so the stream holds at most one event.
 */
export class EventStream<Event> implements AsyncIterableIterator<Event> {
  private offered: { event: Event; handled(): void } | undefined
  private taken: (() => void) | undefined
  private asking: ((result: IteratorResult<Event>) => void) | undefined
  private hasEnded = false

  constructor(private readonly onReturn: () => void) {}

  /** Resolves when the event is handled. */
  push(event: Event): Promise<void> {
    if (this.hasEnded) return Promise.resolve()
    return new Promise(handled => {
      this.offered = { event, handled }
      this.match()
    })
  }

  next(): Promise<IteratorResult<Event>> {
    this.taken?.()
    this.taken = undefined
    if (this.hasEnded) return Promise.resolve({ done: true, value: undefined })
    return new Promise(resolve => {
      this.asking = resolve
      this.match()
    })
  }

  /** The application left the loop: its current event counts as handled, and later ones have no reader. */
  return(): Promise<IteratorResult<Event>> {
    this.taken?.()
    this.offered?.handled()
    this.end()
    this.onReturn()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Ends the stream. An event that is not handled yet stays unacknowledged, and the server sends it again after a resume. */
  end(): void {
    this.hasEnded = true
    this.asking?.({ done: true, value: undefined })
    this.taken = this.offered = this.asking = undefined
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private match(): void {
    if (!this.asking || !this.offered) return
    const { event, handled } = this.offered
    const ask = this.asking
    this.offered = this.asking = undefined
    this.taken = handled
    ask({ done: false, value: event })
  }
}
