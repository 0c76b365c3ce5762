import type { Account } from '../lib/load-protocol.js'

/** What a process that calls the server is given once. */
export interface Calling {
  readonly port: number
  /** One client for each. */
  readonly accounts: readonly Account[]
  readonly channelName: string
}

/** How often an attack was made, how many of its requests were refused, and the longest wait for an answer. */
export interface AttackCount {
  readonly requests: number
  readonly refused: number
  readonly longestMs: number
}

/** What honest clients met. */
export interface HonestCalls {
  readonly calls: number
  /** Answers that were no success, or connections that broke. */
  readonly failures: number
  readonly p50: number
  readonly p99: number
  readonly longestMs: number
}
