import { machine } from './machine.js'
import type { RoundsOfCase } from './request-bench.js'
import { type RequestSummary, requestSummary } from './request-figures.js'
import type { RequestOptions } from './request-options.js'
import { median } from './statistics.js'
import { decimals, percent, table, thousands } from './table.js'

const head = [
  '',
  'server µs',
  'Postgres µs',
  'Redis µs',
  'spread',
  '× floor',
  'p50 ms',
  'p99 ms',
  'longest ms',
  'per second',
  'bytes',
]
const floorNames = { bytes: 'the same bytes', join: 'joins the same pieces', query: 'asks one query' }

/** A table for people, or with --json one object and nothing else. */
export function printRequestReport(scenario: string, options: RequestOptions, cases: readonly RoundsOfCase[]): void {
  const results = cases.map(({ name, floorWork, floor, parley }) => ({
    name,
    floorWork,
    floor: requestSummary(floor, floor),
    parley: requestSummary(parley, floor),
    rounds: { floor, parley },
  }))
  const shares = cases.flatMap(({ floor, parley }) => [...floor, ...parley].map(one => one.othersShare))
  const report = { scenario, machine: machine(), options, othersShare: shares.length > 0 ? median(shares) : 0, results }
  if (options.json) {
    process.stdout.write(`${JSON.stringify(report)}\n`)
    return
  }
  const { cpu, cores, memoryGiB, linux, node } = report.machine
  const { users, channels, messages, workers, rounds, seconds, inFlight } = options
  const lines = [
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, Linux ${linux}, Node ${node}`,
    `${users} users, ${channels} channels, ${messages} messages; ${workers} worker(s); ${inFlight} in flight, ${rounds} rounds of ${seconds} s`,
    `Other processes took ${percent(report.othersShare)} of the machine at the median.`,
    'Microseconds are CPU time (user + system) per request; × floor is that of the servers themselves.',
    '',
    table(
      head,
      results.flatMap(({ name, floorWork, floor, parley }) => [
        row(name, parley),
        row(`  floor: ${floorNames[floorWork]}`, floor),
      ]),
    ),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const row = (name: string, figures: RequestSummary): string[] => [
  name,
  thousands(figures.serverUs),
  thousands(figures.postgresUs),
  thousands(figures.redisUs),
  percent(figures.spread),
  decimals(figures.timesFloor),
  decimals(figures.p50Ms),
  decimals(figures.p99Ms),
  decimals(figures.longestMs, 1),
  thousands(figures.perSecond),
  thousands(figures.bytes),
]
