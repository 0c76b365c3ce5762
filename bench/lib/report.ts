import type { Mode, PeerName, Rounds } from '../scenarios/fan-out.js'
import type { FanOutOptions } from './arguments.js'
import { type Summary, summaryOf } from './figures.js'
import { machine } from './machine.js'
import { median } from './statistics.js'
import { decimals, percent, table, thousands } from './table.js'

const head = [
  '',
  'server µs',
  'of it user',
  'Redis µs',
  'Postgres µs',
  'sum µs',
  'spread',
  '× floor',
  'deliveries/s',
  'p50 ms',
  'p99 ms',
  'client core',
]
const titles: Record<Mode, string> = { oneAtATime: 'One event at a time', eightInFlight: '8 in flight' }

/** A table for people, or with --json one object and nothing else. */
export function printReport(options: FanOutOptions, rounds: Rounds, frameBytes: number): void {
  const modes = Object.keys(rounds) as Mode[]
  const summaries = Object.fromEntries(
    modes.map(mode => [
      mode,
      {
        floor: summaryOf(rounds[mode].floor, rounds[mode].floor),
        parley: summaryOf(rounds[mode].parley, rounds[mode].floor),
      },
    ]),
  ) as Record<Mode, Record<PeerName, Summary>>
  const report = {
    scenario: 'fan-out',
    machine: machine(),
    options,
    frameBytes,
    othersShare: others(rounds),
    ...summaries,
    rounds,
  }
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `${forPeople(report)}\n`)
}

/** A busy machine shows in every figure: whoever reads them has to know. */
function others(rounds: Rounds): { median: number; most: number } {
  const shares = Object.values(rounds).flatMap(({ floor, parley }) => [...floor, ...parley].map(one => one.othersShare))
  return { median: median(shares), most: Math.max(...shares) }
}

function forPeople({
  machine,
  options,
  frameBytes,
  othersShare,
  oneAtATime,
  eightInFlight,
}: Record<Mode, Record<PeerName, Summary>> & {
  machine: ReturnType<typeof import('./machine.js').machine>
  options: FanOutOptions
  frameBytes: number
  othersShare: { median: number; most: number }
}): string {
  const { queues, events, rounds, codec, workers, ack } = options
  const block = (mode: Mode, { floor, parley }: Record<PeerName, Summary>) =>
    `${titles[mode]}\n${table(head, [row('floor (uWebSockets.js publish)', floor), row('parley', parley)])}`
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.linux}, Node ${machine.node}`,
    `${queues} queues, one socket each; frames of ${frameBytes} bytes, ${codec}; ${events} events, ${rounds} rounds; ${workers} worker(s); acknowledged every ${ack} ms`,
    `Other processes took ${percent(othersShare.median)} of the machine at the median, ${percent(othersShare.most)} at most.`,
    'Microseconds are CPU time (user + system) per delivered event; every queue got every event once and in order.',
    '',
    block('oneAtATime', oneAtATime),
    '',
    block('eightInFlight', eightInFlight),
  ].join('\n')
}

const row = (name: string, summary: Summary): string[] => [
  name,
  decimals(summary.serverUs),
  percent(summary.userShare),
  decimals(summary.redisUs),
  decimals(summary.postgresUs),
  decimals(summary.sumUs),
  percent(summary.spread),
  decimals(summary.timesFloor),
  thousands(summary.deliveriesPerSecond),
  decimals(summary.p50Ms, 1),
  decimals(summary.p99Ms, 1),
  percent(summary.clientCore),
]
