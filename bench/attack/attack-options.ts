import { parseArgs } from 'node:util'

export interface AttackOptions {
  readonly clients: number
  readonly minutes: number
  readonly workers: number
  /** The rate limits of a server that the network can reach. */
  readonly limits: boolean
  /** The attacks whose names contain this. */
  readonly only: string
  readonly json: boolean
}

export function readAttackOptions(args: string[]): AttackOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      clients: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '5' },
      workers: { type: 'string', default: '2' },
      limits: { type: 'boolean', default: true },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  })
  const [clients, minutes, workers] = [values.clients, values.minutes, values.workers].map(Number)
  if (!(Number(clients) >= 1 && Number(clients) <= 200 && Number(minutes) > 0 && Number(workers) >= 1)) {
    throw new Error('--clients is 1 to 200, --minutes and --workers are above zero')
  }
  return {
    clients: Number(clients),
    minutes: Number(minutes),
    workers: Number(workers),
    limits: values.limits,
    only: values.only,
    json: values.json,
  }
}
