/**
 * What arrived and has not been handled: handled one after the other, each when the one before is done. It has a bound, so
 * that a slow application costs a fixed amount of memory; the rest stays with the server, whose queue is the real buffer.
 */
export class Inbox<Item> {
  #items: Item[] = []
  #next = 0
  #isRunning = false
  #isStopped = false
  #onEmpty: (() => void)[] = []

  constructor(
    readonly limit: number,
    private readonly handle: (item: Item) => void | Promise<void>,
  ) {}

  get size(): number {
    return this.#items.length - this.#next
  }

  /** False: full, the item was not taken. */
  push(item: Item): boolean {
    if (this.size >= this.limit) return false
    this.put(item)
    return true
  }

  /** Takes the item in any case: for the few that are not events. */
  put(item: Item): void {
    if (this.#isStopped) return
    this.#items.push(item)
    if (!this.#isRunning) void this.#run()
  }

  /** Resolves when all that was taken has been handled, or nothing more will be. */
  async emptied(): Promise<void> {
    if (this.#isRunning && !this.#isStopped) await new Promise<void>(resolve => this.#onEmpty.push(resolve))
  }

  /** Handles nothing more. */
  stop(): void {
    this.#isStopped = true
    this.#items = []
    this.#next = 0
    this.#tellEmpty()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#next < this.#items.length) {
      const item = this.#items[this.#next] as Item
      const handling = this.handle(item)
      if (handling) await handling
      if (this.#isStopped) return
      this.#next += 1
      // shift() would move all that is left each time.
      if (this.#next === this.#items.length || this.#next > 1000) {
        this.#items = this.#items.slice(this.#next)
        this.#next = 0
      }
    }
    this.#isRunning = false
    this.#tellEmpty()
  }

  #tellEmpty(): void {
    const waiting = this.#onEmpty
    this.#onEmpty = []
    for (const resolve of waiting) resolve()
  }
}
