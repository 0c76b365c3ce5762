interface Turn {
  /** Undefined: the commit has not been answered yet. */
  publish: (() => void) | undefined
}

/**
 * Publishes events in the order in which their transactions wrote them. The answers to two commits may arrive in another order than the
 * commits: the database releases a lock before it answers, and the transaction that waited for the lock may be answered first. Clients
 * would then end with the older of two states.
 */
export class PublishingOrder {
  private readonly line: Turn[] = []
  private timer: NodeJS.Timeout | undefined
  /** The turn that the timer is set for. */
  private awaited: Turn | undefined

  /** A commit takes milliseconds; a turn that takes longer than this no longer blocks the turns behind it. */
  constructor(private readonly longestWaitMs = 1000) {}

  /**
   * Called before the commit: a transaction that waits for this one's locks calls it later. The result is called after the commit, with null
   * if there is nothing to publish; its promise resolves when the events are published.
   */
  enter(): (publish: (() => void) | null) => Promise<void> {
    const turn: Turn = { publish: undefined }
    this.line.push(turn)
    return publish =>
      new Promise(resolve => {
        turn.publish = () => {
          publish?.()
          resolve()
        }
        // The turn was passed over, so its events are published now.
        if (!this.line.includes(turn)) turn.publish()
        else this.advance()
      })
  }

  private advance(): void {
    // I1: this worker publishes in the order in which its transactions wrote.
    while (this.line[0] && this.line[0].publish !== undefined) this.line.shift()?.publish?.()
    if (this.awaited === this.line[0]) return
    clearTimeout(this.timer)
    this.awaited = this.line[0]
    if (this.awaited) this.timer = setTimeout(() => this.passOver(), this.longestWaitMs).unref()
  }

  private passOver(): void {
    this.line.shift()
    this.advance()
  }
}
