import { parseArgs } from 'node:util'

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
  readonly json: boolean
}

export function readSendOptions(args: string[]): SendOptions {
  const { values } = parseArgs({
    args,
    options: {
      senders: { type: 'string', default: '64' },
      subscribers: { type: 'string', default: '10000' },
      connected: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1' },
      text: { type: 'string', default: '594' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: Exclude<keyof SendOptions, 'json'>) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return {
    senders: count('senders'),
    subscribers: count('subscribers'),
    connected: count('connected'),
    seconds: count('seconds'),
    rounds: count('rounds'),
    workers: count('workers'),
    text: count('text'),
    json: values.json,
  }
}
