import type { Codec } from '../../shared/wire/codec.js'

/** Who a queue belongs to, or who sends. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly api_key: string
}

/** A server to load: one socket, or one waiting poll, for each account. */
export interface Target {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly codec: Codec
  /** Its queues are read by GET /events instead of sockets. */
  readonly polls?: boolean
  /** Its sockets speak the protocol of socket.io. */
  readonly isSocketIo?: boolean
  /** The bare server wants neither registration nor acknowledgement, and is told only which frame to publish. */
  readonly isFloor: boolean
  readonly accounts: readonly Account[]
  readonly sender: Account
  readonly channelId: number
  /** Length of a message's text. */
  readonly textLength: number
  /** What was handled is acknowledged within this time. */
  readonly ackMs: number
}

export interface Run {
  readonly events: number
  readonly inFlight: number
  /** So many each second, whatever has come, instead of `inFlight`. */
  readonly perSecond?: number
  /** Keeps the frames, to give them to the floor. */
  readonly isRecording?: boolean
  /** The number of the first event; after the one before, if not given. */
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

/** What the load process is told, and answers, by the name of the server. */
export type Command =
  | { readonly do: 'open'; readonly target: Target }
  | { readonly do: 'run'; readonly name: string; readonly run: Run }
  | { readonly do: 'settle'; readonly name: string }

export type Answer =
  | { readonly ok: true; readonly result?: RunResult }
  | { readonly ok: false; readonly reason: string }
