import { parseArgs } from 'node:util'
import type { AttackSet } from './attack-protocol.js'

export interface AttackOptions {
  readonly clients: number
  readonly minutes: number
  readonly workers: number
  /** WORKER_MEMORY, in MB; undefined: the default of the server. */
  readonly memory: number | undefined
  /** The rate limits of a server that the network can reach. */
  readonly limits: boolean
  readonly set: AttackSet
  /** The attacks whose names contain this. */
  readonly only: string
  readonly json: boolean
}

const byDefault = { requests: undefined, transfers: 512 }

export function readAttackOptions(args: string[]): AttackOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      clients: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '5' },
      workers: { type: 'string', default: '2' },
      memory: { type: 'string' },
      limits: { type: 'boolean', default: true },
      set: { type: 'string', default: 'requests' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  })
  const [clients, minutes, workers] = [values.clients, values.minutes, values.workers].map(Number)
  const { set } = values
  if (set !== 'requests' && set !== 'transfers') throw new Error('--set is requests or transfers')
  if (!(Number(clients) >= 1 && Number(clients) <= 200 && Number(minutes) > 0 && Number(workers) >= 1)) {
    throw new Error('--clients is 1 to 200, --minutes and --workers are above zero')
  }
  return {
    clients: Number(clients),
    minutes: Number(minutes),
    workers: Number(workers),
    memory: values.memory === undefined ? byDefault[set] : Number(values.memory),
    limits: values.limits,
    set,
    only: values.only,
    json: values.json,
  }
}
