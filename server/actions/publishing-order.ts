interface Turn {
  /** Undefined while the commit is under way; null: nothing to publish. */
  publish: (() => void) | null | undefined
}

/**
 * Lets events go out in the order in which their transactions wrote them. The answers to two commits may come in another
 * order than the commits themselves: the database lets go of a lock before it answers, and who waited for the lock may be
 * done first. A client would end with the older of two states.
 */
export class PublishingOrder {
  private readonly line: Turn[] = []
  private timer: NodeJS.Timeout | undefined
  /** Whom the timer is for. */
  private awaited: Turn | undefined

  /** A commit takes milliseconds. One that takes longer than this is stuck, and what came after it no longer waits. */
  constructor(private readonly longestWaitMs = 1000) {}

  /** Before the commit. Whoever needs what this transaction locks calls this later. */
  enter(): (publish: (() => void) | null) => void {
    const turn: Turn = { publish: undefined }
    this.line.push(turn)
    return publish => {
      turn.publish = publish
      // It was passed over: its time has come.
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
