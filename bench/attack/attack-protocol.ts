import type { HttpAnswer, ServerAddress } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import type { Client } from './client.js'
import type { SlowHosts } from './slow-hosts.js'

/** What an attacker may use. */
export interface Means {
  readonly channelName: string
  readonly hosts: SlowHosts
}

/** One round of an attack by one client; returns the answers to its requests. */
export type Attack = (client: Client, means: Means) => Promise<readonly HttpAnswer[]>

/** `requests`: those that cost the server far more than the client; `transfers`: pictures, files and other hosts. */
export type AttackSet = 'requests' | 'transfers'

/** The data that a process which calls the server gets at its start. */
export interface Calling {
  readonly server: ServerAddress
  /** One account per client. */
  readonly accounts: readonly Account[]
  readonly channelName: string
}

export interface Attacking extends Calling {
  readonly set: AttackSet
  /** The attacks whose names contain this. */
  readonly only: string
}

/** The number of attacks and of refused requests. */
export interface AttackCount {
  readonly requests: number
  readonly refused: number
  /** Requests that the attacker has ended before their answer came. */
  readonly left: number
  /** Answers with status 502: the proxy had none to pass on. */
  readonly badGateways: number
}

/** Results of one kind of honest request, or of all. */
export interface HonestCalls {
  readonly calls: number
  /** Error answers and broken connections. */
  readonly failures: number
  readonly badGateways: number
  /** Response times in ms. */
  readonly p50: number
  readonly p99: number
  readonly longestMs: number
}

/** Results of the honest clients: all calls, and those of each kind. */
export interface HonestResults {
  readonly all: HonestCalls
  readonly kinds: Readonly<Record<string, HonestCalls>>
  /** The statuses of failed calls, 0 for a broken connection, with their numbers. */
  readonly failed: Readonly<Record<string, number>>
}
