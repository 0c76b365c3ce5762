import type { Codec } from '../../shared/wire/codec.js'
import type { Account } from '../lib/load-protocol.js'

/** Clients that lose their connections and reconnect. */
export interface ReturningTarget {
  readonly port: number
  readonly codec: Codec
  readonly accounts: readonly Account[]
  /** The bare server has no queues: each client gets the same frames. */
  readonly isFloor: boolean
}

/** The events that the clients must receive after they reconnect. */
export interface Missed {
  readonly first: number
  readonly count: number
  /** Number of concurrent connection attempts. */
  readonly together: number
}

export interface Returned {
  /** From the first attempt until the last client has every event, in ms. */
  readonly elapsedMs: number
  /** The same per client, from its first attempt. */
  readonly p50: number
  readonly p99: number
  /** The frames that one client received. */
  readonly frames: readonly Buffer[]
}

export type ReturningCommand =
  | { readonly do: 'open'; readonly target: ReturningTarget }
  | { readonly do: 'leave' }
  | { readonly do: 'return'; readonly missed: Missed }

export type ReturningAnswer =
  | { readonly ok: true; readonly returned?: Returned }
  | { readonly ok: false; readonly reason: string }
