import { parseArgs } from 'node:util'

export interface LatencyOptions {
  readonly readers: number
  readonly events: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
}

export function readLatencyOptions(args: string[]): LatencyOptions & { readonly json: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      readers: { type: 'string', default: '20' },
      events: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '5' },
      workers: { type: 'string', default: '1' },
      text: { type: 'string', default: '594' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: keyof LatencyOptions) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return {
    readers: count('readers'),
    events: count('events'),
    rounds: count('rounds'),
    workers: count('workers'),
    text: count('text'),
    json: values.json,
  }
}
