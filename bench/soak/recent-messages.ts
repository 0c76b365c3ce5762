import type { Account } from '../lib/load-protocol.js'
import type { SoakChannel } from './world.js'

export interface RecentMessage {
  readonly id: number
  readonly channel: SoakChannel
  readonly sender: Account
}

// Number of messages kept; all of them are recent enough to be edited.
const kept = 200

/** Messages for further actions; each message has one action at a time, so that the result is known. */
export class RecentMessages {
  readonly #free: RecentMessage[] = []

  add(message: RecentMessage): void {
    this.#free.push(message)
    if (this.#free.length > kept) this.#free.shift()
  }

  /** Removes and returns a message. */
  take(): RecentMessage | undefined {
    return this.#free.splice(Math.floor(Math.random() * this.#free.length), 1)[0]
  }

  async use(act: (message: RecentMessage) => Promise<void>): Promise<void> {
    const message = this.take()
    if (!message) return
    await act(message)
    this.#free.push(message)
  }
}
