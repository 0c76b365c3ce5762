import { setTimeout as sleep } from 'node:timers/promises'
import { comparison, figuresOf, inTurn, medianOf, say, timesFloor } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { readOptions } from '../lib/options.js'
import { startPeers } from '../lib/peers.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { atMost, type Result } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'
import { messageTo } from '../send/send.js'

// In ms: outbox cleanup follows seconds after publishing, and its cost counts for the message.
const afterwardsMs = 4500
// The code of both servers is compiled after as many messages.
const warmUpSeconds = 8
const people = 10
const peers = ['floor', 'parley'] as const

const defaults = { perSecond: 10, seconds: 30, rounds: 3, workers: 1, text: 594 }

/** Measures a message that is alone: few a second, without deliveries. */
export async function lone(args: string[]): Promise<Result> {
  const options = readOptions(args, defaults)
  const { floor, parley } = await undone(undo => measureAll(undo, options))
  const milliseconds = medianOf(parley, ({ sumUs }) => sumUs) / 1000
  return {
    options,
    othersShare: othersShare([...floor, ...parley]),
    notes: [
      `One sender, ${options.perSecond} messages a second to a channel without queues. Microseconds are CPU time for a message, above that of the idle server.`,
      'The floor is bare uWebSockets.js that stores the text as one row with one statement, in a table with the three indexes that a chat needs (id, channel and topic, sender) in the same PostgreSQL.',
    ],
    tables: [
      comparison('One message at a time', 'messages', [
        ['floor', floor],
        ['parley', parley],
      ]),
    ],
    targets: [
      atMost(1.5, 'ms', 'CPU of all processes for a lone message', milliseconds),
      atMost(
        1.5,
        '× floor',
        'p50 of a lone message',
        timesFloor(parley, floor, ({ p50Ms }) => p50Ms),
      ),
    ],
  }
}

async function measureAll(undo: Undo, options: Readonly<typeof defaults>) {
  const { server, load, ports, used } = await startPeers(undo, options.workers)
  const [owner, ...senders] = await makeAccounts(server, people + 1)
  if (!owner) throw new Error('the organization has no owner')
  const channelId = await makeChannel(server, owner, 'lone', senders)

  const { perSecond, seconds, text } = options
  const common = { inFlight: 1, requests: senders.map(who => messageTo(channelId, who, text)), hasIds: true }
  say('warming up …')
  for (const peer of peers) await load.ask({ ...common, port: ports[peer], seconds: Math.min(warmUpSeconds, seconds) })
  await sleep(afterwardsMs)
  return inTurn(options.rounds, peers, async peer => {
    const timed = <Found>(work: () => Promise<Found>) =>
      measured({ used: used[peer], loads: [load.pid] }, async () => {
        const found = await work()
        await sleep(afterwardsMs)
        return found
      })
    // What the same processes use in as long a time without messages does not count.
    const idle = await timed(() => sleep(seconds * 1000))
    return figuresOf(await timed(() => load.ask({ ...common, port: ports[peer], seconds, perSecond })), idle.usage)
  })
}
