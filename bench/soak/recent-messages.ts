import type { Account } from '../lib/load-protocol.js'
import type { SoakChannel } from './world.js'

export interface RecentMessage {
  readonly id: number
  readonly channel: SoakChannel
  readonly sender: Account
}

// Recent enough to be edited, whatever the rate.
const kept = 200

/** Messages to do something with: one thing at a time each, so that it is known what comes of it. */
export class RecentMessages {
  readonly #free: RecentMessage[] = []

  add(message: RecentMessage): void {
    this.#free.push(message)
    if (this.#free.length > kept) this.#free.shift()
  }

  /** One that is never given out again. */
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
