import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result, ResultTable, Target } from '../lib/result.js'
import { median, othersShare, spread } from '../lib/statistics.js'
import type { SendFigures } from './figures.js'
import type { SendOptions } from './options.js'

export interface SendRound {
  readonly floor: SendFigures
  readonly parley: SendFigures
}

/** Rounds by case. */
export type SendRounds = Readonly<Record<'http' | 'socket' | 'alone' | 'large', SendRound[]>>

export function sendResult(options: SendOptions, rounds: SendRounds): Result {
  const { senders, subscribers, connected } = options
  const titles = {
    http: `POST /messages, ${senders} senders, a channel of 10`,
    socket: `request on a socket, ${senders} senders, a channel of 10`,
    alone: 'POST /messages, one at a time, a channel of 10',
    large: `POST /messages, ${senders} senders, a channel of ${subscribers}, ${connected} of them connected`,
  }
  const names = Object.keys(titles) as (keyof typeof titles)[]
  return {
    scenario: 'send',
    question: questions.send,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare(Object.values(rounds).flatMap(all => all.flatMap(({ floor, parley }) => [floor, parley]))),
    notes: [
      'Microseconds are CPU time for a message, what is put off included; every accepted message was found in the database.',
      'The floor is bare uWebSockets.js that stores the text as one row with one statement, in a table with the three indexes that a chat needs (id, channel and topic, sender) in the same PostgreSQL, and does nothing else.',
    ],
    tables: names.map(name => tableOf(titles[name], rounds[name])),
    charts: [
      {
        title: 'CPU of a message: server and PostgreSQL',
        kind: 'bars',
        x: { name: '' },
        y: { name: 'µs' },
        series: (['floor', 'parley'] as const).map(peer => ({
          name: peer,
          points: names.map(name => [titles[name], median(rounds[name].map(round => round[peer].sumUs))] as const),
        })),
      },
    ],
    targets: [
      ...targetsOf(`${senders} senders`, rounds.http),
      ...targetsOf(`${senders} sockets`, rounds.socket),
      largeTarget(options, rounds),
    ],
  }
}

const ratio = (rounds: readonly SendRound[], key: keyof SendFigures): number =>
  median(rounds.map(({ floor, parley }) => parley[key] / floor[key]))

const targetsOf = (who: string, rounds: readonly SendRound[]): Target[] => [
  {
    what: `${who}: CPU of server and PostgreSQL per message`,
    limit: 2,
    found: ratio(rounds, 'sumUs'),
    is: 'atMost',
    unit: '× floor',
  },
  {
    what: `${who}: messages per second`,
    limit: 0.5,
    found: ratio(rounds, 'perSecond'),
    is: 'atLeast',
    unit: '× floor',
  },
]

const largeTarget = ({ subscribers }: SendOptions, { http, large }: SendRounds): Target => ({
  what: `a channel of ${subscribers}: PostgreSQL CPU per message`,
  limit: 1.1,
  found: median(large.map(({ parley }, i) => parley.postgresUs / (http[i]?.parley.postgresUs ?? Number.NaN))),
  is: 'atMost',
  unit: '× a channel of 10',
})

function tableOf(title: string, rounds: readonly SendRound[]): ResultTable {
  const row = (peer: keyof SendRound) => {
    const of = (key: keyof SendFigures) => median(rounds.map(round => round[peer][key]))
    return {
      name: peer,
      cells: [
        of('serverUs'),
        of('postgresUs'),
        of('redisUs'),
        of('sumUs'),
        spread(rounds.map(round => round[peer].sumUs)),
        peer === 'floor' ? 1 : ratio(rounds, 'sumUs'),
        of('perSecond'),
        of('p50Ms'),
        of('p99Ms'),
        of('clientCore'),
      ],
    }
  }
  return {
    title,
    columns: [
      { name: '' },
      { name: 'server µs' },
      { name: 'PostgreSQL µs' },
      { name: 'Redis µs', decimals: 1 },
      { name: 'server + PostgreSQL µs' },
      { name: 'spread', percent: true },
      { name: '× floor', decimals: 2 },
      { name: 'messages/s' },
      { name: 'p50 ms', decimals: 2 },
      { name: 'p99 ms', decimals: 2 },
      { name: 'client core', percent: true },
    ],
    rows: [row('floor'), row('parley')],
  }
}
