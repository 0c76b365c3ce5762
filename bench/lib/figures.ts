import { type Part, total, type Usage } from './cpu.js'
import type { RunResult } from './load-protocol.js'
import { median, spread } from './statistics.js'

/** One run of one server in one round. Microseconds are CPU time per delivered event. */
export interface Figures {
  readonly serverUs: number
  /** Share of serverUs that was spent outside the kernel. */
  readonly userShare: number
  readonly redisUs: number
  readonly postgresUs: number
  readonly sumUs: number
  readonly deliveriesPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly clientCore: number
  /** Share of the machine's CPU time that unrelated processes used. */
  readonly othersShare: number
}

export interface Summary extends Figures {
  /** Spread of sumUs. */
  readonly spread: number
  /** Ratio to the floor of the same round. */
  readonly timesFloor: number
}

export function figuresOf(usage: Usage, result: RunResult, othersShare: number): Figures {
  const { deliveries, elapsedMs, p50, p99, clientCore } = result
  const each = (part: Part) => total(usage[part]) / deliveries
  return {
    serverUs: each('server'),
    userShare: usage.server.user / total(usage.server),
    redisUs: each('redis'),
    postgresUs: each('postgres'),
    sumUs: each('server') + each('redis') + each('postgres'),
    deliveriesPerSecond: (deliveries / elapsedMs) * 1000,
    p50Ms: p50,
    p99Ms: p99,
    clientCore,
    othersShare,
  }
}

/** The median of each figure, and of the ratios per round: noise of the machine affects both servers of a round. */
export function summaryOf(rounds: readonly Figures[], floor: readonly Figures[]): Summary {
  const of = (key: keyof Figures) => median(rounds.map(round => round[key]))
  return {
    serverUs: of('serverUs'),
    userShare: of('userShare'),
    redisUs: of('redisUs'),
    postgresUs: of('postgresUs'),
    sumUs: of('sumUs'),
    deliveriesPerSecond: of('deliveriesPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    clientCore: of('clientCore'),
    othersShare: of('othersShare'),
    spread: spread(rounds.map(({ sumUs }) => sumUs)),
    timesFloor: median(rounds.map(({ sumUs }, i) => sumUs / (floor[i] as Figures).sumUs)),
  }
}
