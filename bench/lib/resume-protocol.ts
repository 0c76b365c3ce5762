import type { Codec } from '../../shared/wire/codec.js'
import type { Account } from './load-protocol.js'

/** Clients that lose their connections and come back. */
export interface ReturningTarget {
  readonly port: number
  readonly codec: Codec
  readonly accounts: readonly Account[]
  /** The bare server knows no queues: whoever attaches gets the same frames. */
  readonly isFloor: boolean
}

/** Events that the clients have to have, once they are back. */
export interface Missed {
  readonly first: number
  readonly count: number
  /** Connections that are being made at once. */
  readonly together: number
}

export interface Returned {
  /** From the first attempt to connect until the last client has everything. */
  readonly elapsedMs: number
  /** The same for each client, from its own first attempt. */
  readonly p50: number
  readonly p99: number
  /** What one client was sent. */
  readonly frames: readonly Buffer[]
}

export type ReturningCommand =
  | { readonly do: 'open'; readonly target: ReturningTarget }
  | { readonly do: 'leave' }
  | { readonly do: 'return'; readonly missed: Missed }

export type ReturningAnswer =
  | { readonly ok: true; readonly returned?: Returned }
  | { readonly ok: false; readonly reason: string }
