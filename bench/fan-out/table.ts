import { type Figures, type Summary, summaryOf } from '../lib/figures.js'
import type { ResultTable } from '../lib/result.js'
import { type PeerName, peerNames } from './peer.js'
import { type Mode, modeNames, type Rounds } from './runs.js'

/** The measurements with one number of queues and one codec. */
export interface FanOutFound {
  readonly queues: number
  readonly codec: string
  readonly frameBytes: number
  readonly rounds: Rounds
}

export function summaries({ rounds }: FanOutFound, mode: Mode): [PeerName, Summary][] {
  const floor = rounds[mode].floor as Figures[]
  const names = Object.keys(peerNames) as PeerName[]
  return names.flatMap(name => {
    const found = rounds[mode][name]
    return found ? [[name, summaryOf(found, floor)] as [PeerName, Summary]] : []
  })
}

export const summaryIn = (found: FanOutFound, mode: Mode, name: PeerName): Summary | undefined =>
  summaries(found, mode).find(([one]) => one === name)?.[1]

export const figuresIn = ({ rounds }: FanOutFound): Figures[] =>
  Object.values(rounds).flatMap(mode => Object.values(mode).flat())

export const tableOf = (found: FanOutFound, mode: Mode): ResultTable => ({
  title: `${found.queues} queues, ${found.codec}, ${modeNames[mode]}, frames of ${found.frameBytes} bytes`,
  columns: [
    { name: '' },
    { name: 'server µs', decimals: 2 },
    { name: 'in user mode', percent: true },
    { name: 'Redis µs', decimals: 2 },
    { name: 'PostgreSQL µs', decimals: 2 },
    { name: 'sum µs', decimals: 2 },
    { name: 'spread', percent: true },
    { name: '× floor', decimals: 2 },
    { name: 'deliveries/s' },
    { name: 'p50 ms', decimals: 1 },
    { name: 'p99 ms', decimals: 1 },
    { name: 'client core', percent: true },
  ],
  rows: summaries(found, mode).map(([name, one]) => ({
    name: peerNames[name],
    cells: [
      one.serverUs,
      one.userShare,
      one.redisUs,
      one.postgresUs,
      one.sumUs,
      one.spread,
      one.timesFloor,
      one.deliveriesPerSecond,
      one.p50Ms,
      one.p99Ms,
      one.clientCore,
    ],
  })),
})
