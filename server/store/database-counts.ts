import type { Socket } from 'node:net'
import { Distribution } from '../metrics/distribution.js'

/** What one worker knows of its database. Plain numbers: whoever counts adds to one. */
export class DatabaseCounts {
  /** The question that is asked once a second, with the wait for a free connection. */
  readonly roundTrip = new Distribution()
  /** When it was answered last, by `performance.now()`. */
  heardAt = performance.now()
  /** The last one failed. */
  isFailing = false
  /** Of all pools of this worker. */
  readonly connections = new Set<Socket>()

  /** Connections that are open, and of these those that have been asked something and owe the answer. */
  get use(): { open: number; busy: number } {
    let open = 0
    let busy = 0
    for (const socket of this.connections) {
      if (socket.destroyed || socket.connecting) continue
      open++
      if (owesAnswer(socket)) busy++
    }
    return { open, busy }
  }
}

/** A socket that knows whether it was written to after it last heard something. */
export interface AskedSocket {
  readonly isAsked: boolean
}

const owesAnswer = (socket: Socket): boolean => (socket as Partial<AskedSocket>).isAsked === true
