import { type Part, total, type Usage } from '../lib/cpu.js'
import type { RunResult } from '../lib/load-protocol.js'
import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result, Target } from '../lib/result.js'
import { median, othersShare } from '../lib/statistics.js'
import type { LatencyOptions } from './options.js'

type LatencyRun = RunResult & { readonly othersShare: number; readonly usage: Usage }
export type LatencyRounds = Readonly<Record<'floor' | 'parley', LatencyRun[]>>
type Figure = 'p50' | 'p99' | 'longest'

export function latencyResult(options: LatencyOptions, perSecond: number, rounds: LatencyRounds): Result {
  const of = (name: keyof LatencyRounds, key: Figure | 'clientCore') => median(rounds[name].map(round => round[key]))
  const times = (key: Figure) =>
    median(rounds.parley.map((round, i) => round[key] / (rounds.floor[i]?.[key] ?? Number.NaN)))
  const cpu = (name: keyof LatencyRounds, part: Part) =>
    median(rounds[name].map(({ usage }) => total(usage[part]) / options.events))
  const row = (name: keyof LatencyRounds) => ({
    name,
    cells: [
      ...(['p50', 'p99', 'longest'] as const).map(key => of(name, key)),
      ...(['server', 'redis', 'postgres'] as const).map(part => cpu(name, part)),
      of(name, 'clientCore'),
    ],
  })
  const target = (key: 'p50' | 'p99'): Target => ({
    what: `${key} from sender to reader at half of the load that can be sustained`,
    limit: 2,
    found: times(key),
    is: 'atMost',
    unit: '× floor',
  })
  return {
    scenario: 'latency',
    question: questions.latency,
    machine: machine(),
    options: { ...options, perSecond },
    othersShare: othersShare([...rounds.floor, ...rounds.parley]),
    notes: [
      `${perSecond} messages a second, half of what 64 senders get through, each to ${options.readers} readers; both servers get the same.`,
      'A time runs from the moment at which a message was due to be sent until a reader has its frame.',
      'The floor is bare uWebSockets.js that stores the same row with one statement, and then publishes the same frame.',
    ],
    tables: [
      {
        title: 'From sender to reader',
        columns: [
          { name: '' },
          { name: 'p50 ms', decimals: 2 },
          { name: 'p99 ms', decimals: 2 },
          { name: 'longest ms', decimals: 1 },
          { name: 'server µs', decimals: 0 },
          { name: 'Redis µs', decimals: 0 },
          { name: 'PostgreSQL µs', decimals: 0 },
          { name: 'client core', percent: true },
        ],
        rows: [row('floor'), row('parley')],
      },
    ],
    charts: [
      {
        title: 'From sender to reader, at half load',
        kind: 'bars',
        x: { name: '' },
        y: { name: 'ms' },
        series: (['floor', 'parley'] as const).map(name => ({
          name,
          points: (['p50', 'p99'] as const).map(key => [key, of(name, key)] as const),
        })),
      },
    ],
    targets: [target('p50'), target('p99')],
  }
}
