import type { WireEvent } from '../wire/frames.js'
import { Acknowledgements, type AckOptions } from './acknowledgements.js'
import { Inbox } from './inbox.js'
import type { Position, Registered } from './notices.js'

/** Our place in one queue. Between `seen` and `handled` lies what waits in the inbox. */
interface Cursor {
  readonly queueId: string
  seen: number
  handled: number
}

type Item = { readonly event: WireEvent; readonly cursor: Cursor } | { readonly restarted: Registered }

export interface DeliveryOptions {
  readonly bufferEvents: number
  readonly ack?: AckOptions
  /** Gives an event to the application; a promise while it is not done with it. */
  deliver(event: WireEvent): undefined | Promise<void>
  restarted(registered: Registered): undefined | Promise<void>
  acknowledge(lastEventId: number): void
}

/**
 * From the socket to the application: each event once and in order, whatever comes twice over however many connections,
 * and acknowledged when it was handled.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #inbox: Inbox<Item>
  readonly #acks: Acknowledgements
  #cursor: Cursor | undefined
  #hasMissed = false

  constructor(options: DeliveryOptions) {
    this.#options = options
    this.#inbox = new Inbox(options.bufferEvents, item => this.#handle(item))
    this.#acks = new Acknowledgements(options.acknowledge, options.ack)
  }

  /** Where the application is; undefined without a queue. */
  get position(): Position | undefined {
    return this.#cursor && { queueId: this.#cursor.queueId, lastEventId: this.#cursor.handled }
  }

  /** Events of this queue from now on. */
  begin({ queueId, lastEventId }: Position): void {
    this.#cursor = { queueId, seen: lastEventId, handled: lastEventId }
    this.#hasMissed = false
    this.#acks.restart(lastEventId)
  }

  /** The server has attached us at this event: what comes now follows on it. */
  attached(lastEventId: number): void {
    this.#hasMissed = false
    if (this.#cursor) this.#acks.restart(lastEventId, this.#cursor.handled)
  }

  /** There is no queue any more. What came from it is still handled. */
  forget(): void {
    this.#cursor = undefined
  }

  /** Takes its place behind all events that came before. */
  restart(registered: Registered): void {
    this.#inbox.put({ restarted: registered })
  }

  /** False: the inbox was full, and what did not fit has to come again, by attaching at `position`. */
  received(events: readonly WireEvent[]): boolean {
    const cursor = this.#cursor
    if (!cursor) return true
    // Also when there is room again: what is still under way follows on events that we did not take.
    if (this.#hasMissed) return false
    for (const event of events) {
      // Sent again after `attach`, because it waits in the inbox.
      if (event.id <= cursor.seen) continue
      this.#hasMissed = !this.#inbox.push({ event, cursor })
      if (this.#hasMissed) return false
      cursor.seen = event.id
    }
    return true
  }

  /** All that was taken has been handled. */
  emptied(): Promise<void> {
    return this.#inbox.emptied()
  }

  /** Acknowledges what was handled, and handles nothing more. */
  stop(): void {
    this.#inbox.stop()
    this.#acks.flush()
  }

  #handle(item: Item): undefined | Promise<void> {
    if ('restarted' in item) return this.#options.restarted(item.restarted)
    const { event, cursor } = item
    const done = () => {
      cursor.handled = event.id
      if (cursor === this.#cursor) this.#acks.handled(event.id, event.type === 'heartbeat')
    }
    const handling = this.#options.deliver(event)
    if (handling) return handling.then(done)
    done()
    return undefined
  }
}
