import { comparison, timesFloor } from '../lib/figures.js'
import { readOptions } from '../lib/options.js'
import { atMost, type Result, type ResultTable } from '../lib/result.js'
import { median, othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { type Kind, kinds } from './kinds.js'
import { crowd, defaults, measureWrites, names, type Rounds } from './measure.js'

const titles: Readonly<Record<Kind, string>> = {
  send: 'send to a channel',
  react: 'react or remove a reaction',
  read: 'mark one message as read',
  narrow: 'mark a narrow of 100 as read',
  edit: 'edit a message',
}
// As a multiple of a send: CPU of all processes.
const mostTimesSend = { react: 1.3, read: 0.6, narrow: 1, edit: 2 } as const
// In ms, with PostgreSQL half a millisecond away.
const mostMs = { react: 2.5, read: 1.5 } as const

/** Measures the common writes beside a send of the same run and a bare server that stores a row. */
export async function writes(args: string[]): Promise<Result> {
  const options = readOptions(args, defaults)
  const { alone, together, apart, burst } = await undone(undo => measureWrites(undo, options))
  const rounds = [alone, together].flatMap(one => Object.values(one).flat())
  return {
    options,
    othersShare: othersShare(rounds),
    notes: [
      'Microseconds are CPU time for a write, what is put off included, without what the idle server uses.',
      'The floor is bare uWebSockets.js that stores a message as one row with one statement in the same PostgreSQL.',
      'A relay between server and PostgreSQL holds the bytes of each direction back for 0.25 ms, so 0.5 ms for a round trip.',
    ],
    tables: [
      tableOf('one at a time', alone),
      tableOf(`${options.inFlight} in flight`, together),
      {
        title: 'One at a time, with PostgreSQL 0.5 ms away',
        columns: ['p50 ms'],
        rows: kinds.map(kind => [titles[kind], median(apart[kind])]),
      },
      {
        title: `${crowd} at once: reactions to one message, sends to one topic`,
        columns: ['p99 ms'],
        rows: (['react', 'send'] as const).map(kind => [titles[kind], median(burst[kind])]),
      },
    ],
    targets: [
      ...Object.entries(mostTimesSend).map(([kind, most]) =>
        atMost(most, '× send', `CPU: ${titles[kind as Kind]}`, timesFloor(alone[kind as Kind], alone.send)),
      ),
      ...Object.entries(mostMs).map(([kind, most]) =>
        atMost(most, 'ms', `p50 with PostgreSQL 0.5 ms away: ${titles[kind as Kind]}`, median(apart[kind as Kind])),
      ),
      atMost(3, '× send', `p99 of ${crowd} reactions at once`, median(burst.react) / median(burst.send)),
    ],
  }
}

function tableOf(title: string, rounds: Rounds): ResultTable {
  const { columns, rows } = comparison(
    '',
    'writes',
    names.map(name => [name === 'floor' ? name : titles[name], rounds[name]]),
  )
  const timesSend = names.map(name => timesFloor(rounds[name], rounds.send))
  return {
    title,
    columns: ['× send', ...columns],
    rows: rows.map(([name, ...cells], i) => [name, timesSend[i] ?? null, ...cells]),
  }
}
