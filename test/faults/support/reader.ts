import type { WireEvent } from '../../../shared/wire/frames.js'
import { readContent } from './ledger.js'

/** A message event as an application got it. */
export interface Seen {
  readonly id: number
  readonly number: number
  readonly conversation: string
  readonly messageId: number
}

/** A client that reads one queue, and what its application was given, in that order. */
export abstract class Reader {
  readonly seen: Seen[] = []
  readonly numbers = new Set<number>()
  /** Its queue was registered when so many messages had been begun: earlier ones need not be in it. */
  after = 0
  /** What no client should ever meet with. */
  readonly complaints: string[] = []
  /** How much of `seen` came before the server said that the queue is gone, the last event then, and what the server said. */
  loss: { readonly seen: number; readonly lastId: number; readonly why: string } | undefined
  /** The last event that was handled. */
  protected last = -1

  constructor(
    readonly name: string,
    /** Conversations whose messages its owner may see. */
    readonly sees: ReadonlySet<string>,
  ) {}

  /** What the server said when it said that the queue is gone. */
  get lost(): string | undefined {
    return this.loss?.why
  }

  protected lose(why: string): void {
    this.loss ??= { seen: this.seen.length, lastId: this.last, why }
  }

  abstract stop(): Promise<void>

  /** The application's part: each event comes here once. */
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
