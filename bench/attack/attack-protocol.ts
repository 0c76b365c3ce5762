import type { Account } from '../lib/load-protocol.js'

/** The data that a process which calls the server gets at its start. */
export interface Calling {
  readonly port: number
  /** One account per client. */
  readonly accounts: readonly Account[]
  readonly channelName: string
}

/** The number of attacks, the number of refused requests, and the longest response time. */
export interface AttackCount {
  readonly requests: number
  readonly refused: number
  readonly longestMs: number
}

/** Results of one kind of honest request, or of all. */
export interface HonestCalls {
  readonly calls: number
  /** Error answers and broken connections. */
  readonly failures: number
  /** Response times in ms. */
  readonly p50: number
  readonly p99: number
  readonly longestMs: number
}

/** Results of the honest clients: all calls, and those of each kind. */
export interface HonestResults {
  readonly all: HonestCalls
  readonly kinds: Readonly<Record<string, HonestCalls>>
}
