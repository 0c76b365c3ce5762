import type { Codec } from '../../shared/wire/codec.js'

/** The owner of a queue, or a sender. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly api_key: string
}

/** A server under load: one socket, or one waiting poll, per account. */
export interface Target {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly codec: Codec
  /** Clients read its queues by GET /events instead of sockets. */
  readonly polls?: boolean
  /** Its sockets speak the protocol of socket.io. */
  readonly isSocketIo?: boolean
  /** The bare server needs no registration or acknowledgement; requests only tell it which frame to publish. */
  readonly isFloor: boolean
  readonly accounts: readonly Account[]
  readonly sender: Account
  readonly channelId: number
  /** Length of a message's text in characters. */
  readonly textLength: number
  /** Clients acknowledge handled events within this many ms. */
  readonly ackMs: number
}

export interface Run {
  readonly events: number
  readonly inFlight: number
  /** Sends this many events per second, regardless of deliveries, instead of `inFlight`. */
  readonly perSecond?: number
  /** Keeps the frames for the floor. */
  readonly isRecording?: boolean
  /** The number of the first event; by default the one after the last. */
  readonly first?: number
}

export interface RunResult {
  readonly first: number
  readonly deliveries: number
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Share of one core that the load process used. */
  readonly clientCore: number
  readonly recorded: Buffer[]
}

/** Commands to the load process and its answers, by the name of the server. */
export type Command =
  | { readonly do: 'open'; readonly target: Target }
  | { readonly do: 'run'; readonly name: string; readonly run: Run }
  | { readonly do: 'settle'; readonly name: string }

export type Answer =
  | { readonly ok: true; readonly result?: RunResult }
  | { readonly ok: false; readonly reason: string }
