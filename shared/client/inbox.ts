/**
 * A bounded queue in memory of received items, handled one after the other. The bound limits the memory that a slow
 * application costs; the server's queue holds the other events.
 */
export class Inbox<Item> {
  private items: Item[] = []
  private next = 0
  private isRunning = false
  private isStopped = false
  private onEmpty: (() => void)[] = []

  constructor(
    readonly limit: number,
    private readonly handle: (item: Item) => void | Promise<void>,
  ) {}

  get size(): number {
    return this.items.length - this.next
  }

  /** False: the inbox is full and did not accept the item. */
  push(item: Item): boolean {
    if (this.size >= this.limit) return false
    this.put(item)
    return true
  }

  /** Accepts the item even beyond the bound: for the few items that are not events. */
  put(item: Item): void {
    if (this.isStopped) return
    this.items.push(item)
    if (!this.isRunning) void this.run()
  }

  /** Resolves when all accepted items are handled, or when the inbox is stopped. */
  async emptied(): Promise<void> {
    if (this.isRunning && !this.isStopped) await new Promise<void>(resolve => this.onEmpty.push(resolve))
  }

  /** Drops the waiting items and handles no more. */
  stop(): void {
    this.isStopped = true
    this.items = []
    this.next = 0
    this.notifyEmpty()
  }

  private async run(): Promise<void> {
    this.isRunning = true
    while (this.next < this.items.length) {
      const item = this.items[this.next] as Item
      const handling = this.handle(item)
      if (handling) await handling
      if (this.isStopped) return
      this.next += 1
      // shift() would move all remaining items each time.
      if (this.next === this.items.length || this.next > 1000) {
        this.items = this.items.slice(this.next)
        this.next = 0
      }
    }
    this.isRunning = false
    this.notifyEmpty()
  }

  private notifyEmpty(): void {
    const waiting = this.onEmpty
    this.onEmpty = []
    for (const resolve of waiting) resolve()
  }
}
