/**
 * An event inside the engine: the part that detects something has the signal, and parts that are built later subscribe to act on it.
 * Listeners run in the order of subscription; an error of a listener reaches the emitter and ends the emission.
 */
export class Signal {
  private readonly listeners: (() => void)[] = []

  on(listener: () => void): void {
    this.listeners.push(listener)
  }

  emit(): void {
    for (const listener of this.listeners) listener()
  }
}

/** A signal whose emitter waits: each listener runs after the promise of the one before it. */
export class AwaitedSignal {
  private readonly listeners: (() => Promise<void>)[] = []

  on(listener: () => Promise<void>): void {
    this.listeners.push(listener)
  }

  async emit(): Promise<void> {
    for (const listener of this.listeners) await listener()
  }
}
