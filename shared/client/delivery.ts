import type { WireEvent } from '../wire/frames.js'
import { Acknowledgements, type AckOptions } from './acknowledgements.js'
import { Inbox } from './inbox.js'
import type { Position, Registered } from './notices.js'

/** The client's position in one queue. Events after `handled` up to `seen` are in the inbox. */
interface Cursor {
  readonly queueId: string
  seen: number
  handled: number
}

type Item = { readonly event: WireEvent; readonly cursor: Cursor } | { readonly restarted: Registered }

interface DeliveryOptions {
  readonly bufferEvents: number
  readonly ack?: AckOptions
  /** Passes an event to the application; returns a promise while the application handles it. */
  deliver(event: WireEvent): undefined | Promise<void>
  restarted(registered: Registered): undefined | Promise<void>
  acknowledge(lastEventId: number): void
}

/**
 * Delivers events from the socket to the application: each event once and in order, across reconnects, acknowledged
 * after it is handled.
 */
export class Delivery {
  private readonly inbox: Inbox<Item>
  private readonly acks: Acknowledgements
  private cursor: Cursor | undefined
  private hasMissed = false

  constructor(private readonly options: DeliveryOptions) {
    this.inbox = new Inbox(options.bufferEvents, item => this.handle(item))
    this.acks = new Acknowledgements(options.acknowledge, options.ack)
  }

  /** The position after the last handled event; undefined without a queue. */
  get position(): Position | undefined {
    return this.cursor && { queueId: this.cursor.queueId, lastEventId: this.cursor.handled }
  }

  /** Starts with a new queue at this position. */
  begin({ queueId, lastEventId }: Position): void {
    this.cursor = { queueId, seen: lastEventId, handled: lastEventId }
    this.hasMissed = false
    this.acks.restart(lastEventId)
  }

  /** The server has attached the socket at this event; the next events follow it. */
  attached(lastEventId: number): void {
    this.hasMissed = false
    if (this.cursor) this.acks.restart(lastEventId, this.cursor.handled)
  }

  /** The queue is gone. Events that are already in the inbox are still delivered. */
  forget(): void {
    this.cursor = undefined
  }

  /** Delivers the new state after all events that arrived before it. */
  restart(registered: Registered): void {
    this.inbox.put({ restarted: registered })
  }

  /** False: the inbox is full, and the client has to attach again at `position` to get the other events again. */
  received(events: readonly WireEvent[]): boolean {
    const cursor = this.cursor
    if (!cursor) return true
    // Even with room again: later events on this connection follow the ones that were dropped.
    if (this.hasMissed) return false
    for (const event of events) {
      // A repeat after `attach`: this event is already in the inbox.
      if (event.id <= cursor.seen) continue
      this.hasMissed = !this.inbox.push({ event, cursor })
      if (this.hasMissed) return false
      cursor.seen = event.id
    }
    return true
  }

  /** Resolves when all accepted events are handled. */
  emptied(): Promise<void> {
    return this.inbox.emptied()
  }

  /** Acknowledges the handled events and delivers no more. */
  stop(): void {
    this.inbox.stop()
    this.acks.flush()
  }

  private handle(item: Item): undefined | Promise<void> {
    if ('restarted' in item) return this.options.restarted(item.restarted)
    const { event, cursor } = item
    const done = () => {
      cursor.handled = event.id
      if (cursor === this.cursor) this.acks.handled(event.id, event.type === 'heartbeat')
    }
    const handling = this.options.deliver(event)
    if (handling) return handling.then(done)
    done()
    return undefined
  }
}
