import { readCounts } from '../lib/arguments.js'

export interface PersonalOptions {
  /** Accounts with alert words, all in one channel. */
  readonly users: number
  readonly polls: number
  readonly senders: number
  readonly seconds: number
  readonly rounds: number
  /** Requests for the read receipts of a message. */
  readonly receipts: number
}

export const readPersonalOptions = (args: string[]): PersonalOptions & { readonly json: boolean } =>
  readCounts(args, { users: 10_000, polls: 1000, senders: 64, seconds: 3, rounds: 5, receipts: 300 })
