import type { Work } from './figures.js'

/** The owner of a queue, or a sender. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly api_key: string
}

/** The header of an account's requests. */
export const authorizationOf = ({ email, api_key }: Pick<Account, 'email' | 'api_key'>): string =>
  `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`

/** A server under load: one socket, or one waiting poll, per account. */
export interface Target {
  readonly name: string
  readonly port: number
  /** Clients read its queues by GET /events instead of sockets. */
  readonly polls?: boolean
  /** The bare server needs no registration or acknowledgement; requests only tell it which frame to publish. */
  readonly isFloor: boolean
  readonly accounts: readonly Account[]
  readonly sender: Account
  readonly channelId: number
  /** Length of a message's text in characters. */
  readonly textLength: number
  /** Clients acknowledge handled events within this many ms. */
  readonly ackMs: number
  /** Sockets may end, and come back by `return`. */
  readonly mayEnd?: boolean
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

export interface RunResult extends Work {
  readonly first: number
  readonly recorded: Buffer[]
}

/** The events that clients must receive after they reconnect. */
export interface Missed {
  readonly first: number
  readonly count: number
  /** Number of concurrent connection attempts. */
  readonly together: number
}

/** In ms, from the first attempt until the last client has every event, and of each event of each client. */
export interface Returned {
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
}

/** Commands to the load process, by the name of the server. */
export type Command =
  | { readonly do: 'open'; readonly target: Target }
  | { readonly do: 'run'; readonly name: string; readonly run: Run }
  | { readonly do: 'settle'; readonly name: string }
  | { readonly do: 'leave'; readonly name: string }
  | { readonly do: 'return'; readonly name: string; readonly missed: Missed }
