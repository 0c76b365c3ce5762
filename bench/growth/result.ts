import type { FanOutFound } from '../fan-out/table.js'
import { figuresIn, summaryIn } from '../fan-out/table.js'
import type { Summary } from '../lib/figures.js'
import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result, Target } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'

/** A configuration of the server, and the cost of a delivery with each number of queues. */
export interface Arrangement {
  readonly name: string
  readonly workers: number
  readonly isCluster: boolean
  readonly sizes: readonly FanOutFound[]
}

const growthLimit = 1.15
const workersLimit = 1.2
// From this number of queues to the largest one, the cost may grow at most by the limit.
const growthFrom = 1000

const ours = (found: FanOutFound): Summary => summaryIn(found, 'oneAtATime', 'parley') as Summary

export function growthResult(options: Result['options'], all: readonly Arrangement[]): Result {
  return {
    scenario: 'growth',
    question: questions.growth,
    machine: machine(),
    options,
    othersShare: othersShare(all.flatMap(({ sizes }) => sizes.flatMap(figuresIn))),
    notes: [
      'One event at a time; microseconds are CPU time of all processes of the server per delivered event.',
      'Ratios to the floor of the same round are compared: the same work costs more in one run than in the next.',
    ],
    tables: [
      {
        title: 'Cost of a delivery',
        columns: [
          { name: '' },
          { name: 'queues' },
          { name: 'floor µs', decimals: 2 },
          { name: 'server µs', decimals: 2 },
          { name: 'Redis µs', decimals: 2 },
          { name: 'PostgreSQL µs', decimals: 2 },
          { name: 'sum µs', decimals: 2 },
          { name: '× floor', decimals: 2 },
          { name: 'deliveries/s' },
          { name: 'client core', percent: true },
        ],
        rows: all.flatMap(({ name, sizes }) =>
          sizes.map(found => {
            const one = ours(found)
            const floor = summaryIn(found, 'oneAtATime', 'floor') as Summary
            return {
              name,
              cells: [
                found.queues,
                floor.sumUs,
                one.serverUs,
                one.redisUs,
                one.postgresUs,
                one.sumUs,
                one.timesFloor,
                one.deliveriesPerSecond,
                one.clientCore,
              ],
            }
          }),
        ),
      },
    ],
    charts: [
      {
        title: 'Cost of a delivery by number of queues',
        kind: 'lines',
        x: { name: 'queues', logarithmic: true },
        y: { name: '× floor' },
        series: all.map(({ name, sizes }) => ({
          name,
          points: sizes.map(found => [found.queues, ours(found).timesFloor] as const),
        })),
      },
    ],
    targets: [...all.flatMap(growthTarget), ...workersTargets(all)],
  }
}

function growthTarget({ name, sizes }: Arrangement): Target[] {
  const [first] = sizes.filter(({ queues }) => queues >= growthFrom)
  const last = sizes.at(-1)
  if (!first || !last || first === last) return []
  return [
    {
      what: `${name}: cost per delivery, ${last.queues} queues against ${first.queues}`,
      limit: growthLimit,
      found: ours(last).timesFloor / ours(first).timesFloor,
      is: 'atMost',
      unit: '×',
    },
  ]
}

function workersTargets(all: readonly Arrangement[]): Target[] {
  const of = (workers: number) => all.find(one => one.workers === workers && !one.isCluster)
  const [one, two] = [of(1), of(2)]
  if (!one || !two) return []
  return one.sizes.flatMap((found, i) => {
    const other = two.sizes[i]
    if (!other || found.queues < growthFrom) return []
    const ratio = ours(other).timesFloor / ours(found).timesFloor
    const what = `cost per delivery, 2 workers against 1, ${found.queues} queues`
    return [{ what, limit: workersLimit, found: ratio, is: 'atMost', unit: '×' }]
  })
}
