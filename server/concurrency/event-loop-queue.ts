/**
 * Runs long tasks in separate turns of the event loop, in the order of the calls, so that other work runs between them. A message needs
 * about five turns from its sender to a receiver, so each turn's duration counts five times. p-limit does not serve here: it starts
 * the next task in the same turn.
 */
export class EventLoopQueue {
  private readonly waiting: (() => void)[] = []
  private readonly run = () => {
    this.waiting.shift()?.()
    if (this.waiting.length > 0) setImmediate(this.run)
  }

  /** Resolves in a turn of the event loop in which no other task of this queue runs. */
  ownTurn(): Promise<void> {
    return new Promise(resolve => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.run)
    })
  }
}
