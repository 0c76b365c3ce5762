import type { WireEvent } from '../../../shared/wire/frames.js'
import { readContent } from './ledger.js'

/** A message event that an application received. */
interface Seen {
  readonly id: number
  readonly number: number
  readonly conversation: string
  readonly messageId: number
}

/** A client that reads one queue, and the events that its application received, in order. */
export abstract class Reader {
  readonly seen: Seen[] = []
  readonly numbers = new Set<number>()
  /** The number of started messages at the registration: the queue need not contain earlier ones. */
  after = 0
  /** Errors that no client may observe. */
  readonly complaints: string[] = []
  /**
   * The number of events in `seen` when the server reported that the queue is gone, the last event id then, and the
   * server's message.
   */
  loss: { readonly seen: number; readonly lastId: number; readonly why: string } | undefined
  /** The last handled event. */
  protected last = -1

  constructor(
    readonly name: string,
    /** Conversations whose messages its owner may see. */
    readonly sees: ReadonlySet<string>,
  ) {}

  /** The server's message that the queue is gone. */
  get lost(): string | undefined {
    return this.loss?.why
  }

  protected lose(why: string): void {
    this.loss ??= { seen: this.seen.length, lastId: this.last, why }
  }

  abstract stop(): Promise<void>

  /** The application: each event arrives here once. */
  protected handle(event: WireEvent): void {
    if (event.id <= this.last) this.complaints.push(`event ${event.id} came after ${this.last}`)
    this.last = event.id
    const message = event.message as { id: number; content: string } | undefined
    if (event.type !== 'message' || !message) return
    const read = readContent(message.content)
    if (!read) return
    this.seen.push({ id: event.id, messageId: message.id, ...read })
    this.numbers.add(read.number)
  }
}
