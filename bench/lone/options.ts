import { readCounts } from '../lib/arguments.js'

export interface LoneOptions {
  /** Messages a second, sent by one sender. */
  readonly perSecond: number
  readonly seconds: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
}

export const readLoneOptions = (args: string[]): LoneOptions & { readonly json: boolean } =>
  readCounts(args, { perSecond: 10, seconds: 30, rounds: 3, workers: 1, text: 594 })
