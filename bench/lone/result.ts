import { type Part, total, type Usage } from '../lib/cpu.js'
import { machine } from '../lib/machine.js'
import type { Measured } from '../lib/measured.js'
import { questions } from '../lib/questions.js'
import type { Result } from '../lib/result.js'
import { median, othersShare, spread } from '../lib/statistics.js'
import type { SendResult } from '../send/protocol.js'
import type { LoneOptions } from './options.js'

/** One run of one server. Microseconds are CPU time per message, above that of an idle time of the same length. */
export interface LoneFigures {
  readonly serverUs: number
  readonly postgresUs: number
  readonly redisUs: number
  readonly sumUs: number
  /** What the processes used while idle, per message of the run that followed. */
  readonly idleUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly othersShare: number
}

export type LoneRounds = Readonly<Record<'floor' | 'parley', LoneFigures[]>>

const limitMs = 1.5
const limitP50 = 1.5

export function loneFigures({ found, usage, othersShare }: Measured<SendResult>, idle: Usage): LoneFigures {
  const each = (part: Part) => (total(usage[part]) - total(idle[part])) / found.sent
  const [serverUs, postgresUs, redisUs] = [each('server'), each('postgres'), each('redis')]
  return {
    serverUs,
    postgresUs,
    redisUs,
    sumUs: serverUs + postgresUs + redisUs,
    idleUs: (total(idle.server) + total(idle.postgres) + total(idle.redis)) / found.sent,
    p50Ms: found.p50,
    p99Ms: found.p99,
    othersShare,
  }
}

export function loneResult(options: LoneOptions, rounds: LoneRounds): Result {
  const of = (name: keyof LoneRounds, key: keyof LoneFigures) => median(rounds[name].map(round => round[key]))
  const times = (key: keyof LoneFigures) =>
    median(rounds.parley.map((round, i) => round[key] / (rounds.floor[i]?.[key] ?? Number.NaN)))
  const row = (name: keyof LoneRounds) => ({
    name,
    cells: [
      of(name, 'serverUs'),
      of(name, 'postgresUs'),
      of(name, 'redisUs'),
      of(name, 'sumUs'),
      spread(rounds[name].map(({ sumUs }) => sumUs)),
      of(name, 'idleUs'),
      of(name, 'p50Ms'),
      of(name, 'p99Ms'),
    ],
  })
  return {
    scenario: 'lone',
    question: questions.lone,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare([...rounds.floor, ...rounds.parley]),
    notes: [
      `One sender, ${options.perSecond} messages a second to a channel without queues. Microseconds are CPU time for a message, above that of the idle server.`,
      'The floor is bare uWebSockets.js that stores the text as one row with one statement, in a table with the three indexes that a chat needs (id, channel and topic, sender) in the same PostgreSQL.',
    ],
    tables: [
      {
        title: 'One message at a time',
        columns: [
          { name: '' },
          { name: 'server µs' },
          { name: 'PostgreSQL µs' },
          { name: 'Redis µs' },
          { name: 'sum µs' },
          { name: 'spread', percent: true },
          { name: 'idle µs' },
          { name: 'p50 ms', decimals: 2 },
          { name: 'p99 ms', decimals: 2 },
        ],
        rows: [row('floor'), row('parley')],
      },
    ],
    charts: [],
    targets: [
      {
        what: 'CPU of all processes for a lone message',
        limit: limitMs,
        found: of('parley', 'sumUs') / 1000,
        is: 'atMost',
        unit: 'ms',
      },
      { what: 'p50 of a lone message', limit: limitP50, found: times('p50Ms'), is: 'atMost', unit: '× floor' },
    ],
  }
}
