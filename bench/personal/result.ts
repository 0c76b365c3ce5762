import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result } from '../lib/result.js'
import { median, othersShare, spread } from '../lib/statistics.js'
import type { SendFigures } from '../send/figures.js'
import type { PersonalOptions } from './options.js'

/** The runs of the server without alert words and polls, and of the one with them. */
export type PersonalRounds = Readonly<Record<'without' | 'with', SendFigures[]>>

/** CPU time of one request for read receipts. */
export interface Receipts {
  readonly readers: number
  readonly serverUs: number
  readonly postgresUs: number
}

// Unchanged, with what two runs of the same server differ.
const mostTimes = 1.05
const leastTimes = 0.95
const receiptsMs = 5

export function personalResult(options: PersonalOptions, rounds: PersonalRounds, receipts: Receipts): Result {
  const of = (name: keyof PersonalRounds, key: keyof SendFigures) => median(rounds[name].map(round => round[key]))
  const times = (key: keyof SendFigures) =>
    median(rounds.with.map((round, i) => round[key] / (rounds.without[i]?.[key] ?? Number.NaN)))
  const row = (name: keyof PersonalRounds) => ({
    name,
    cells: [
      of(name, 'serverUs'),
      of(name, 'postgresUs'),
      of(name, 'redisUs'),
      of(name, 'sumUs'),
      spread(rounds[name].map(({ sumUs }) => sumUs)),
      of(name, 'perSecond'),
    ],
  })
  return {
    scenario: 'personal',
    question: questions.personal,
    machine: machine(),
    options: { ...options },
    othersShare: othersShare([...rounds.without, ...rounds.with]),
    notes: [
      `POST /messages, ${options.senders} senders, a channel of 10, two servers in turn: one without, one with three alert words of each of ${options.users} users and ${options.polls} polls in the channel. Microseconds are CPU time for a message.`,
      `Read receipts of a message that ${receipts.readers} people have read; microseconds are CPU time for a request.`,
    ],
    tables: [
      {
        title: 'Sending',
        columns: [
          { name: '' },
          { name: 'server µs' },
          { name: 'PostgreSQL µs' },
          { name: 'Redis µs', decimals: 1 },
          { name: 'server + PostgreSQL µs' },
          { name: 'spread', percent: true },
          { name: 'messages/s' },
        ],
        rows: [row('without'), row('with')],
      },
      {
        title: 'Read receipts',
        columns: [{ name: '' }, { name: 'server µs' }, { name: 'PostgreSQL µs' }],
        rows: [{ name: `${receipts.readers} readers`, cells: [receipts.serverUs, receipts.postgresUs] }],
      },
    ],
    charts: [],
    targets: [
      {
        what: 'CPU of a message with alert words and polls',
        limit: mostTimes,
        found: times('sumUs'),
        is: 'atMost',
        unit: '× without',
      },
      {
        what: 'messages per second with them',
        limit: leastTimes,
        found: times('perSecond'),
        is: 'atLeast',
        unit: '× without',
      },
      {
        what: 'PostgreSQL CPU of read receipts',
        limit: receiptsMs,
        found: receipts.postgresUs / 1000,
        is: 'atMost',
        unit: 'ms',
      },
    ],
  }
}
