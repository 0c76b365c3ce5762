interface Turn {
  /** Undefined: the commit has not been answered yet; null: nothing to publish. */
  publish: (() => void) | null | undefined
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

  /** Called before the commit: a transaction that waits for this one's locks calls it later. */
  enter(): (publish: (() => void) | null) => void {
    const turn: Turn = { publish: undefined }
    this.line.push(turn)
    return publish => {
      turn.publish = publish
      // The turn was passed over, so its events are published now.
      if (!this.line.includes(turn)) publish?.()
      else this.advance()
    }
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
