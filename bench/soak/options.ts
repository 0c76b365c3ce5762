import { parseArgs } from 'node:util'

export interface SoakOptions {
  readonly minutes: number
  /** Messages to channels in a second; all else is done in proportion. */
  readonly rate: number
  /** Queues that are read all the time. */
  readonly readers: number
  readonly workers: number
  /** Seconds without an event that has to come. */
  readonly patience: number
  /** Seconds after which a queue without a reader is collected: more than any reader is away. */
  readonly idle: number
  /** Messages of ten kilobytes that slow readers sleep through: by default more than all buffers for a socket take. */
  readonly flood: number
  readonly json: boolean
  /** Where the plot goes, if anywhere. */
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
