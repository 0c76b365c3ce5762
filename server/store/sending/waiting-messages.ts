import type { InsertedMessage, NewMessage } from '../messages/messages.js'

// A statement of this size takes about 20 ms, and so bounds how long further messages wait.
const messagesPerStatement = 500
const bytesPerStatement = 4_000_000

/** How to store a message together with further changes. */
export interface OwnTransaction {
  /** Whether the message needs it in any case; otherwise only if it is the first of its topic (`asksForStart`). */
  readonly isNeeded: boolean
  /** Stores the message, with `storesStarts`, and publishes its events. Undefined: its versions are out of date. */
  run(): Promise<InsertedMessage | undefined>
}

/** A message that waits to be stored. */
export interface Waiting {
  readonly message: NewMessage
  readonly own: OwnTransaction | undefined
  /** Whether `own` is to store the message. */
  isAlone: boolean
  /** The place and the sender: messages with a common order key are stored in the order in which they arrived. */
  readonly orderKeys: readonly [place: string, sender: string]
  resolve(inserted: InsertedMessage | undefined): void
  reject(error: unknown): void
}

interface Next {
  /** The messages of the next statement. */
  readonly batch: Waiting[]
  /** Messages that are stored in transactions of their own meanwhile. */
  readonly alone: Waiting[]
  readonly left: Waiting[]
}

/**
 * The messages that can be stored now, in order; without those that have to wait for an earlier message with the same order key.
 * @param busy order keys of messages that are being stored
 */
export function nextMessages(queue: readonly Waiting[], busy: ReadonlySet<string>): Next {
  const blocked = new Set(busy)
  const next: Next = { batch: [], alone: [], left: [] }
  const { batch, alone, left } = next
  const keys = new Set<string>()
  let bytes = 0
  for (const waiting of queue) {
    const { orderKeys, message } = waiting
    const key = message.requestKey?.key
    const full = batch.length === messagesPerStatement || bytes > bytesPerStatement
    // One statement cannot store and find the same key.
    const isRepeat = key !== undefined && keys.has(key)
    const mustWait = full || isRepeat || orderKeys.some(orderKey => blocked.has(orderKey))
    if (mustWait || (waiting.isAlone && sharesKey(waiting, batch))) {
      for (const orderKey of orderKeys) blocked.add(orderKey)
      left.push(waiting)
    } else if (waiting.isAlone) {
      for (const orderKey of orderKeys) blocked.add(orderKey)
      alone.push(waiting)
    } else {
      batch.push(waiting)
      // If it has to be stored alone after the batch, its sender's next message comes after it.
      if (message.asksForStart) blocked.add(orderKeys[1])
      if (key !== undefined) keys.add(key)
      bytes += message.entries.reduce((sum, entry) => sum + entry.length, 0)
    }
  }
  return next
}

const sharesKey = ({ orderKeys }: Waiting, batch: readonly Waiting[]): boolean =>
  batch.some(other => other.orderKeys.some(orderKey => orderKeys.includes(orderKey)))
