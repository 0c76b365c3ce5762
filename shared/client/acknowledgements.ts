export interface AckOptions {
  /** The client acknowledges at the latest when this many handled events are unacknowledged. */
  readonly events?: number
  /** The client acknowledges at the latest this many ms after the first unacknowledged event. */
  readonly ms?: number
}

// An acknowledgement costs the server as much as sending an event, so the client sends few. After 3.5 s the owner
// writes unacknowledged events to the queue log; an acknowledgement within 3 s saves that write.
export const defaultAck = { events: 500, ms: 3000 } as const

/**
 * The delay in ms between the first unacknowledged event and the acknowledgement. It is random, so that clients that
 * received the same event do not acknowledge it at the same moment.
 */
export const ackDelay = (ms: number): number => ms * (0.5 + Math.random() / 2)

/** Acknowledges handled events, several at a time. */
export class Acknowledgements {
  private _handled = -1
  private acknowledged = -1
  private count = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly events: number
  private readonly ms: number

  constructor(
    private readonly send: (lastEventId: number) => void,
    { events = defaultAck.events, ms = defaultAck.ms }: AckOptions = {},
  ) {
    this.events = events
    this.ms = ms
  }

  /** Acknowledges a heartbeat at once. */
  handled(id: number, isHeartbeat = false): void {
    this._handled = id
    this.count += 1
    // The server sends heartbeats in batches; handling their acknowledgements in one batch, too, costs it less.
    if (this.count >= this.events || isHeartbeat) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), ackDelay(this.ms))
  }

  /** Acknowledges all handled events that are not acknowledged yet. */
  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.count = 0
    if (this._handled <= this.acknowledged) return
    this.acknowledged = this._handled
    this.send(this._handled)
  }

  /** Continues after an `attach` that acknowledged `acknowledged`; the application may have handled later events since. */
  restart(acknowledged: number, handled = acknowledged): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.count = 0
    this.acknowledged = acknowledged
    this._handled = acknowledged
    if (handled > acknowledged) this.handled(handled)
  }
}
