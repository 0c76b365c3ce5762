import type { Stalls } from '../lib/bystanders.js'
import { machine } from '../lib/machine.js'
import { questions, type ScenarioName } from '../lib/questions.js'
import type { Chart, Result, ResultTable, Target } from '../lib/result.js'
import { median, othersShare } from '../lib/statistics.js'
import { type RequestSummary, type RoundsOfCase, requestSummary } from './figures.js'
import type { RequestOptions } from './options.js'
import type { OthersWait } from './others-wait.js'
import type { RequestCase } from './request-case.js'

const columns: ResultTable['columns'] = [
  { name: '' },
  { name: 'server µs' },
  { name: 'PostgreSQL µs' },
  { name: 'Redis µs' },
  { name: 'spread', percent: true },
  { name: '× floor', decimals: 2 },
  { name: 'p50 ms', decimals: 2 },
  { name: 'p99 ms', decimals: 2 },
  { name: 'longest ms', decimals: 1 },
  { name: 'per second' },
  { name: 'bytes' },
]
const floorNames = {
  bytes: 'the same bytes',
  join: 'joins the same pieces',
  query: 'asks one query',
  redis: 'gives Redis one command',
}

/** The cost of requests, compared with their floors. */
export function requestResult(
  scenario: ScenarioName,
  options: RequestOptions,
  rounds: readonly RoundsOfCase[],
): Result {
  const { json: _, ...given } = options
  const cases = rounds.map(one => ({
    ...one.of,
    floorWork: one.of.floor.kind,
    others: one.others,
    ours: requestSummary(one.parley, one.floor),
    bare: requestSummary(one.floor, one.floor),
  }))
  return {
    scenario,
    question: questions[scenario],
    machine: machine(),
    options: { ...given },
    othersShare: othersShare(rounds.flatMap(({ floor, parley }) => [...floor, ...parley])),
    notes: ['Microseconds are CPU time (user + system) per request; × floor is that of the servers themselves.'],
    tables: [
      {
        title: 'Requests',
        columns,
        rows: cases.flatMap(({ name, floorWork, ours, bare }) => [
          { name, cells: cellsOf(ours) },
          { name: `  floor: ${floorNames[floorWork]}`, cells: cellsOf(bare) },
        ]),
      },
      ...(cases.some(({ others }) => others.length > 0) ? [othersTable(cases)] : []),
    ],
    charts: [chartOf(cases)],
    targets: cases.flatMap(targetsOf),
  }
}

interface Case extends RequestCase {
  readonly floorWork: keyof typeof floorNames
  readonly ours: RequestSummary
  readonly others: readonly OthersWait[]
}

function targetsOf(one: Case): Target[] {
  const { name, floorWork, atMostTimesFloor, othersWaitAtMostMs, ours } = one
  const targets: Target[] = []
  if (atMostTimesFloor !== undefined)
    targets.push({
      what: `${name}: server CPU, to a floor that ${floorNames[floorWork]}`,
      limit: atMostTimesFloor,
      found: ours.timesFloor,
      is: 'atMost',
      unit: '× floor',
    })
  const inMs = [
    ['server CPU', one.atMostMs, ours.serverUs / 1000],
    ['PostgreSQL CPU', one.atMostPostgresMs, ours.postgresUs / 1000],
    ['99th percentile', one.atMostP99Ms, ours.p99Ms],
  ] as const
  for (const [what, limit, found] of inMs)
    if (limit !== undefined) targets.push({ what: `${name}: ${what}`, limit, found, is: 'atMost', unit: 'ms' })
  if (othersWaitAtMostMs !== undefined)
    targets.push({
      what: `${name}: longer wait of others, 99th percentile`,
      limit: othersWaitAtMostMs,
      found: longerWait(one),
      is: 'atMost',
      unit: 'ms',
    })
  return targets
}

const medianOf = ({ others }: Case, when: keyof OthersWait, figure: keyof Stalls) =>
  median(others.map(round => round[when][figure]))

const longerWait = (one: Case) =>
  Math.max(0, medianOf(one, 'meanwhile', 'p99Delivery') - medianOf(one, 'atRest', 'p99Delivery'))

const othersTable = (cases: readonly Case[]): ResultTable => ({
  title: 'Deliveries to others meanwhile',
  columns: [
    { name: '' },
    { name: 'p50 ms', decimals: 1 },
    { name: 'p99 ms', decimals: 1 },
    { name: 'longest ms', decimals: 1 },
    { name: 'p99 at rest', decimals: 1 },
    { name: 'longest at rest', decimals: 1 },
  ],
  rows: cases
    .filter(({ others }) => others.length > 0)
    .map(one => ({
      name: one.name,
      cells: [
        medianOf(one, 'meanwhile', 'medianDelivery'),
        medianOf(one, 'meanwhile', 'p99Delivery'),
        medianOf(one, 'meanwhile', 'longestDelivery'),
        medianOf(one, 'atRest', 'p99Delivery'),
        medianOf(one, 'atRest', 'longestDelivery'),
      ],
    })),
})

const cellsOf = (figures: RequestSummary): number[] => [
  figures.serverUs,
  figures.postgresUs,
  figures.redisUs,
  figures.spread,
  figures.timesFloor,
  figures.p50Ms,
  figures.p99Ms,
  figures.longestMs,
  figures.perSecond,
  figures.bytes,
]

const chartOf = (
  cases: readonly { readonly name: string; readonly ours: RequestSummary; readonly bare: RequestSummary }[],
): Chart => {
  const series = (name: string, value: (one: (typeof cases)[number]) => number) => ({
    name,
    points: cases.map(one => [one.name, value(one)] as const),
  })
  return {
    title: 'CPU time per request',
    kind: 'bars',
    x: { name: '' },
    y: { name: 'µs', logarithmic: true },
    series: [
      series('floor', one => one.bare.serverUs),
      series('server', one => one.ours.serverUs),
      series('PostgreSQL', one => one.ours.postgresUs),
      series('Redis', one => one.ours.redisUs),
    ],
  }
}
