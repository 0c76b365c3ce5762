import { parseArgs } from 'node:util'

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

export function readPersonalOptions(args: string[]): PersonalOptions & { readonly json: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '10000' },
      polls: { type: 'string', default: '1000' },
      senders: { type: 'string', default: '64' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      receipts: { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: Exclude<keyof typeof values, 'json'>) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return {
    users: count('users'),
    polls: count('polls'),
    senders: count('senders'),
    seconds: count('seconds'),
    rounds: count('rounds'),
    receipts: count('receipts'),
    json: values.json,
  }
}
