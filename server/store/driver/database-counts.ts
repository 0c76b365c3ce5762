import type { Socket } from 'node:net'
import { Distribution } from '../../metrics/distribution.js'

/** Measurements of one worker's database connections, for the metrics. */
export class DatabaseCounts {
  /** Seconds per probe query, which runs once a second, including the wait for a free connection. */
  readonly roundTrip = new Distribution()
  /** When PostgreSQL last answered the probe query; `performance.now()`. */
  answeredAt = performance.now()
  /** Whether the last probe query failed. */
  isFailing = false
  /** The sockets of all pools of this worker. */
  readonly connections = new Set<Socket>()

  /** Number of open connections, and of those that wait for an answer of PostgreSQL. */
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

/** A socket that knows whether it has sent data after it last received data. */
export interface AskedSocket {
  readonly isAsked: boolean
}

const owesAnswer = (socket: Socket): boolean => (socket as Partial<AskedSocket>).isAsked === true
