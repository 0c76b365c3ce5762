import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseLook } from '../lib/database-look.js'
import { comparison, type Figures, figuresOf, inTurn, say, timesFloor } from '../lib/figures.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { readOptions } from '../lib/options.js'
import { startPeers } from '../lib/peers.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { asks, type LoadRequest, type LoadRun } from '../lib/request-load.js'
import { atLeast, atMost, type Result } from '../lib/result.js'
import { paddedText } from '../lib/sender.js'
import { median, othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'

// In ms: outbox cleanup follows three seconds after publishing, and its cost counts for the message.
const afterwardsMs = 4500
const smallChannel = 10
const peers = ['floor', 'parley'] as const
type Rounds = Readonly<Record<(typeof peers)[number], readonly Figures[]>>
type Name = 'http' | 'socket' | 'large'

const defaults = {
  senders: 64,
  // Of the large channel.
  subscribers: 10_000,
  seconds: 3,
  rounds: 3,
  workers: 1,
  text: 594,
}
type SendOptions = Readonly<typeof defaults>

/** Measures sending: CPU of a message, and messages a second, next to a bare server that stores a row. */
export async function send(args: string[]): Promise<Result> {
  const options: SendOptions = readOptions(args, defaults)
  const { senders, subscribers } = options
  const rounds = await undone(undo => measureAll(undo, options))
  const titles: Record<Name, string> = {
    http: `POST /messages, ${senders} senders, a channel of 10`,
    socket: `request on a socket, ${senders} senders, a channel of 10`,
    large: `POST /messages, ${senders} senders, a channel of ${subscribers}`,
  }
  const { http, large } = rounds
  const toLarge = large.parley.map(({ postgresUs }, i) => postgresUs / (http.parley[i]?.postgresUs ?? Number.NaN))
  return {
    options,
    othersShare: othersShare(Object.values(rounds).flatMap(({ floor, parley }) => [...floor, ...parley])),
    notes: [
      'Microseconds are CPU time for a message, what is put off included; every accepted message was found in the database.',
      'The floor is bare uWebSockets.js that stores the text as one row with one statement, in a table with the three indexes that a chat needs (id, channel and topic, sender) in the same PostgreSQL, and does nothing else.',
    ],
    tables: (Object.keys(titles) as Name[]).map(name =>
      comparison(
        titles[name],
        'messages',
        peers.map(peer => [peer, rounds[name][peer]]),
      ),
    ),
    targets: [
      ...targetsOf(`${senders} senders`, http),
      ...targetsOf(`${senders} sockets`, rounds.socket),
      atMost(1.1, '× a channel of 10', `a channel of ${subscribers}: PostgreSQL CPU per message`, median(toLarge)),
    ],
  }
}

const targetsOf = (who: string, { floor, parley }: Rounds) => {
  const cpu = timesFloor(parley, floor, ({ serverUs, postgresUs }) => serverUs + postgresUs)
  const rate = timesFloor(parley, floor, ({ perSecond }) => perSecond)
  return [
    atMost(2, '× floor', `${who}: CPU of server and PostgreSQL per message`, cpu),
    atLeast(0.5, '× floor', `${who}: messages per second`, rate),
  ]
}

/** A message whose text has a number of its own. */
export const messageTo = (channelId: number, who: Account, length: number): LoadRequest =>
  asks('POST', '/messages', who, {
    type: 'stream',
    to: String(channelId),
    topic: 'measurement',
    content: paddedText('message {n}', length),
  })

async function measureAll(undo: Undo, options: SendOptions): Promise<Record<Name, Rounds>> {
  const { server, load, ports, used } = await startPeers(undo, options.workers)
  const database = new DatabaseLook(server.setting('DATABASE_URL'))
  undo.push(() => database.stop())

  say(`making ${options.subscribers} users and their channels …`)
  const [owner, ...people] = await makeAccounts(server, options.subscribers + 1)
  if (!owner) throw new Error('the organization has no owner')
  const senders = people.slice(0, smallChannel)
  const small = await makeChannel(server, owner, 'small', senders)
  const large = await makeChannel(server, owner, 'large', people)

  const ours = async (run: Omit<LoadRun, 'port'>): Promise<Figures> => {
    const before = (await database.sizes()).messages
    const sent = await measured({ used: used.parley, loads: [load.pid] }, async () => {
      const result = await load.ask({ port: ports.parley, ...run })
      await sleep(afterwardsMs)
      return result
    })
    const stored = (await database.sizes()).messages - before
    if (stored !== sent.found.units) throw new Error(`${sent.found.units} messages were accepted, ${stored} are stored`)
    return figuresOf(sent)
  }
  const theirs = async (run: Omit<LoadRun, 'port'>): Promise<Figures> =>
    figuresOf(await measured({ used: used.floor, loads: [load.pid] }, () => load.ask({ port: ports.floor, ...run })))

  const roundsOf = async (transport: 'http' | 'socket', inFlight: number, channelId: number): Promise<Rounds> => {
    const requests = senders.map(who => messageTo(channelId, who, options.text))
    const run = { transport, inFlight, requests, seconds: options.seconds, hasIds: true }
    for (const port of Object.values(ports)) await load.ask({ port, ...run })
    await sleep(afterwardsMs)
    say(`${transport}, ${inFlight} in flight, ${channelId === large ? 'a large channel' : 'a small channel'}:`)
    return inTurn(options.rounds, peers, peer => (peer === 'floor' ? theirs(run) : ours(run)))
  }
  return {
    http: await roundsOf('http', options.senders, small),
    socket: await roundsOf('socket', options.senders, small),
    large: await roundsOf('http', options.senders, large),
  }
}
