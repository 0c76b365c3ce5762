export interface AckOptions {
  /** At most so many handled events are unacknowledged. */
  readonly events?: number
  /** At most for so long. */
  readonly ms?: number
}

// An acknowledgement costs the server as much as pushing an event does: seldom. It writes to its log what is not acknowledged
// within three and a half seconds: sooner than that spares it the work.
export const defaultAck = { events: 500, ms: 3000 } as const

/**
 * How long to wait after the first event that is not acknowledged: clients that got the same event must not all answer at the
 * same moment.
 */
export const ackDelay = (ms: number): number => ms * (0.5 + Math.random() / 2)

/** Tells the server which events have been handled: not each of them, but within some seconds. */
export class Acknowledgements {
  #handled = -1
  #told = -1
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #events: number
  readonly #ms: number

  constructor(
    private readonly send: (lastEventId: number) => void,
    { events = defaultAck.events, ms = defaultAck.ms }: AckOptions = {},
  ) {
    this.#events = events
    this.#ms = ms
  }

  /** A heartbeat is told at once. */
  handled(id: number, isHeartbeat = false): void {
    this.#handled = id
    this.#count += 1
    // The server sends heartbeats several at a time: it is cheaper to it to have their answers together than scattered over seconds.
    if (this.#count >= this.#events || isHeartbeat) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), ackDelay(this.#ms))
  }

  /** Tells what has not been told. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#count = 0
    if (this.#handled <= this.#told) return
    this.#told = this.#handled
    this.send(this.#handled)
  }

  /** `attach` told the server that we are at `told`; since then we may have come further. */
  restart(told: number, handled = told): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#count = 0
    this.#told = told
    this.#handled = told
    if (handled > told) this.handled(handled)
  }
}
