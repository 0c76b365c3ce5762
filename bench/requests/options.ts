import { parseArgs } from 'node:util'

export interface RequestOptions {
  readonly users: number
  readonly channels: number
  readonly messages: number
  readonly workers: number
  readonly rounds: number
  /** Seconds per server and round. */
  readonly seconds: number
  readonly inFlight: number
  /** Only cases whose name contains this. */
  readonly only: string
  readonly json: boolean
}

export function readRequestOptions(args: string[]): RequestOptions {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '10000' },
      channels: { type: 'string', default: '1000' },
      messages: { type: 'string', default: '200000' },
      workers: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      'in-flight': { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  })
  const count = (name: 'users' | 'channels' | 'messages' | 'workers' | 'rounds' | 'seconds' | 'in-flight') => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
    return number
  }
  return {
    users: count('users'),
    channels: count('channels'),
    messages: count('messages'),
    workers: count('workers'),
    rounds: count('rounds'),
    seconds: count('seconds'),
    inFlight: count('in-flight'),
    only: values.only,
    json: values.json,
  }
}
