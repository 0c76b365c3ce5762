import type { Usage } from './cpu.js'
import type { Measured } from './measured.js'
import type { ResultTable, Row } from './result.js'
import { median } from './statistics.js'

/** The work of a load process in one run. */
export interface Work {
  /** Deliveries, messages or requests. */
  readonly units: number
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** One run of one server in one round. Microseconds are CPU time per unit of work. */
export interface Figures {
  readonly serverUs: number
  readonly postgresUs: number
  readonly redisUs: number
  readonly sumUs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  /** Share of the machine's CPU time that unrelated processes used. */
  readonly othersShare: number
}

/** `elapsedMs` of the work, not of the rest that follows it and counts as CPU time. `idle`: what does not count. */
export function figuresOf({ found, usage, othersShare }: Measured<Work>, idle?: Usage): Figures {
  const each = (part: keyof Usage) => (usage[part] - (idle?.[part] ?? 0)) / found.units
  return {
    serverUs: each('server'),
    postgresUs: each('postgres'),
    redisUs: each('redis'),
    sumUs: each('server') + each('postgres') + each('redis'),
    perSecond: (found.units / found.elapsedMs) * 1000,
    p50Ms: found.p50,
    p99Ms: found.p99,
    longestMs: found.longest,
    othersShare,
  }
}

/** The median of a figure over the rounds. */
export const medianOf = <Round>(rounds: readonly Round[], figure: (round: Round) => number): number =>
  median(rounds.map(figure))

/** The median of the ratios to the floor of the same round: noise of the machine affects both servers of a round. */
export const timesFloor = (
  rounds: readonly Figures[],
  floor: readonly Figures[],
  figure: (round: Figures) => number = ({ sumUs }) => sumUs,
): number => median(rounds.map((round, i) => figure(round) / figure(floor[i] as Figures)))

/** The figures of several servers as a table; the first one is the floor. */
export const comparison = (
  title: string,
  unit: string,
  servers: readonly (readonly [name: string, rounds: readonly Figures[]])[],
): ResultTable => ({
  title,
  columns: [
    ...['server µs', 'PostgreSQL µs', 'Redis µs', 'sum µs', '× floor', 'server × floor'],
    ...[`${unit}/s`, 'p50 ms', 'p99 ms', 'longest ms'],
  ],
  rows: servers.map(([name, rounds]) => rowOf(name, rounds, servers[0]?.[1] ?? [])),
})

function rowOf(name: string, rounds: readonly Figures[], floor: readonly Figures[]): Row {
  const of = (key: keyof Figures) => median(rounds.map(round => round[key]))
  return [
    name,
    ...(['serverUs', 'postgresUs', 'redisUs', 'sumUs'] as const).map(of),
    timesFloor(rounds, floor),
    timesFloor(rounds, floor, ({ serverUs }) => serverUs),
    ...(['perSecond', 'p50Ms', 'p99Ms', 'longestMs'] as const).map(of),
  ]
}

/** Runs all servers in each round, each in turn first, so that none always follows the same one. */
export async function inTurn<Name extends string>(
  count: number,
  names: readonly Name[],
  run: (name: Name) => Promise<Figures>,
): Promise<Record<Name, Figures[]>> {
  const found = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, Figures[]>
  for (let round = 0; round < count; round++) {
    const start = round % names.length
    for (const name of [...names.slice(start), ...names.slice(0, start)]) found[name].push(await run(name))
    say(
      `round ${round + 1}, µs: ${names.map(name => `${name} ${found[name].at(-1)?.sumUs.toPrecision(3)}`).join(', ')}`,
    )
  }
  return found
}

/** Progress messages, on standard error, because standard output contains the results. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`)
