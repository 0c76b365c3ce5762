import { parseArgs } from 'node:util'

export interface SoakOptions {
  readonly minutes: number
  /** Channel messages per second; other actions are proportional. */
  readonly rate: number
  /** Number of queues with a reader. */
  readonly readers: number
  readonly workers: number
  /** Seconds until a missing event fails the soak. */
  readonly patience: number
  /** Idle timeout of queues in seconds: longer than any reader is disconnected. */
  readonly idle: number
  /** Number of 10 kB messages that slow readers miss: by default more than all buffers of a socket hold. */
  readonly flood: number
  readonly json: boolean
  /** File of the plot, if any. */
  readonly svg: string | undefined
}

export function readSoakOptions(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '20' },
      readers: { type: 'string', default: '120' },
      workers: { type: 'string', default: '2' },
      patience: { type: 'string', default: '30' },
      idle: { type: 'string', default: '30' },
      flood: { type: 'string', default: '1000' },
      json: { type: 'boolean', default: false },
      svg: { type: 'string' },
    },
  })
  const positive = (name: 'minutes' | 'rate' | 'readers' | 'workers' | 'patience' | 'idle' | 'flood') => {
    const number = Number(values[name])
    if (!(number > 0)) throw new Error(`--${name} is a number above zero`)
    return number
  }
  return {
    minutes: positive('minutes'),
    rate: positive('rate'),
    readers: positive('readers'),
    workers: positive('workers'),
    patience: positive('patience'),
    idle: positive('idle'),
    flood: positive('flood'),
    json: values.json,
    svg: values.svg,
  }
}
