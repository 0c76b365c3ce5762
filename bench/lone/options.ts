import { parseArgs } from 'node:util'

export interface LoneOptions {
  /** Messages a second, sent by one sender. */
  readonly perSecond: number
  readonly seconds: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
}

export function readLoneOptions(args: string[]): LoneOptions & { readonly json: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      'per-second': { type: 'string', default: '10' },
      seconds: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1' },
      text: { type: 'string', default: '594' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: Exclude<keyof typeof values, 'json'>) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return {
    perSecond: count('per-second'),
    seconds: count('seconds'),
    rounds: count('rounds'),
    workers: count('workers'),
    text: count('text'),
    json: values.json,
  }
}
