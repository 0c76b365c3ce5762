import { readCounts } from '../lib/arguments.js'

export interface LatencyOptions {
  readonly readers: number
  readonly events: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
}

export const readLatencyOptions = (args: string[]): LatencyOptions & { readonly json: boolean } =>
  readCounts(args, { readers: 20, events: 2000, rounds: 5, workers: 1, text: 594 })
