import { readCounts } from '../lib/arguments.js'

export interface SendOptions {
  readonly senders: number
  /** Subscribers of the large channel. */
  readonly subscribers: number
  /** How many of them are connected. */
  readonly connected: number
  readonly seconds: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
}

export const readSendOptions = (args: string[]): SendOptions & { readonly json: boolean } =>
  readCounts(args, { senders: 64, subscribers: 10_000, connected: 100, seconds: 3, rounds: 3, workers: 1, text: 594 })
