import { total, type Usage } from '../lib/cpu.js'
import { median, spread } from '../lib/statistics.js'
import type { OthersWait } from './others-wait.js'
import type { LoadResult } from './protocol.js'
import type { RequestCase } from './request-case.js'

/** One run of one server. Microseconds are CPU time per request. */
export interface RequestFigures {
  readonly serverUs: number
  readonly postgresUs: number
  readonly redisUs: number
  readonly sumUs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  readonly bytes: number
  readonly othersShare: number
}

/** The runs of one kind of request at both servers; runs with the same index belong together. */
export interface RoundsOfCase {
  readonly of: RequestCase
  readonly floor: RequestFigures[]
  readonly parley: RequestFigures[]
  readonly others: OthersWait[]
}

export interface RequestSummary extends RequestFigures {
  /** Spread of sumUs. */
  readonly spread: number
  /** Ratios to the floor of the same round: the server's CPU time, and all CPU time. */
  readonly timesFloor: number
  readonly sumTimesFloor: number
}

export function requestFigures(usage: Usage, result: LoadResult, othersShare: number): RequestFigures {
  const each = (part: keyof Usage) => total(usage[part]) / result.requests
  return {
    serverUs: each('server'),
    postgresUs: each('postgres'),
    redisUs: each('redis'),
    sumUs: each('server') + each('postgres') + each('redis'),
    perSecond: (result.requests / result.elapsedMs) * 1000,
    p50Ms: result.p50,
    p99Ms: result.p99,
    longestMs: result.longest,
    bytes: result.bytes,
    othersShare,
  }
}

/** The median of each figure, and of the ratios per round. */
export function requestSummary(rounds: readonly RequestFigures[], floor: readonly RequestFigures[]): RequestSummary {
  const names = Object.keys(rounds[0] as RequestFigures) as (keyof RequestFigures)[]
  const medians = Object.fromEntries(names.map(name => [name, median(rounds.map(round => round[name]))]))
  const ratio = (name: 'serverUs' | 'sumUs') =>
    median(rounds.map((round, i) => round[name] / Math.max(1, (floor[i] as RequestFigures)[name])))
  return {
    ...(medians as unknown as RequestFigures),
    spread: spread(rounds.map(round => round.sumUs)),
    timesFloor: ratio('serverUs'),
    sumTimesFloor: ratio('sumUs'),
  }
}
