import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions } from '../lib/arguments.js'
import { usageBelow } from '../lib/cpu.js'
import { type Figures, figuresOf, type Summary, summaryOf } from '../lib/figures.js'
import { Floor } from '../lib/floor.js'
import { Load } from '../lib/load.js'
import type { Run } from '../lib/load-protocol.js'
import { machine } from '../lib/machine.js'
import { measured } from '../lib/measured.js'
import type { ParkedFrames } from '../lib/parked-floor-process.js'
import { makeAudience } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import { RealServer } from '../lib/real-server.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { median } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { warmUp } from '../lib/warm-up.js'

const modes = { oneAtATime: 1, eightInFlight: 8 } as const
const modeNames = { oneAtATime: 'one event at a time', eightInFlight: '8 in flight' } as const
type Mode = keyof typeof modes
type Peer = 'floor' | 'parley'
type Rounds = Record<Mode, Record<Peer, Figures[]>>

// In ms: the deferred work of a run (the feed, PostgreSQL) counts for that run and ends within this time.
const quietMs = 1500

export const longPoll = async (args: string[]): Promise<void> => {
  const options = readOptions(args)
  const { queues, events, rounds: count, text, workers } = options
  const { rounds, bytes } = await undone(async undo => {
    say('starting the server and the floor …')
    const server = await RealServer.start({ WORKERS: String(workers) })
    undo.push(() => server.stop())
    const floor = await Floor.start('polls')
    undo.push(() => floor.stop())
    const load = new Load()
    undo.push(() => load.stop())

    say(`making ${queues} users, their subscriptions, queues and polls …`)
    const { sender, subscribers: accounts, channelId } = await makeAudience(server, queues)
    await warmUp(server, sender, events * queues)
    const common = {
      host: '127.0.0.1',
      codec: 'json',
      polls: true,
      accounts,
      sender,
      channelId,
      textLength: text,
      ackMs: 0,
    } as const
    await load.open({ ...common, name: 'parley', port: Number(server.url.port), isFloor: false })
    await load.open({ ...common, name: 'floor', port: floor.port, isFloor: true })

    say('warming up …')
    const { first, recorded } = await load.run('parley', { events, inFlight: 1, isRecording: true })
    if (recorded.length !== events)
      throw new Error(`${recorded.length} answers for ${events} events sent one at a time`)
    const frames = framesOf(recorded)
    await floor.hold(frames)
    const peers = {
      floor: { pid: floor.process.pid as number, first },
      parley: { pid: server.pid, first: undefined },
    }
    for (const inFlight of Object.values(modes)) {
      await load.run('floor', { events, inFlight, first })
      await load.run('parley', { events, inFlight })
    }

    const found: Rounds = { oneAtATime: { floor: [], parley: [] }, eightInFlight: { floor: [], parley: [] } }
    for (let round = 1; round <= count; round++) {
      for (const mode of Object.keys(modes) as Mode[]) {
        for (const name of inTurn(round)) {
          const run: Run = { events, inFlight: modes[mode], first: peers[name].first }
          found[mode][name].push(await figures(load, name, peers[name].pid, run))
        }
        const [theirs, ours] = [found[mode].floor.at(-1), found[mode].parley.at(-1)] as [Figures, Figures]
        say(
          `round ${round}, ${modeNames[mode]}: floor ${theirs.sumUs.toFixed(2)} µs, parley ${ours.sumUs.toFixed(2)} µs`,
        )
      }
    }
    return { rounds: found, bytes: (frames.head + frames.events[0] + frames.tail).length }
  })
  printResult(resultOf(options, rounds, bytes), options.json)
}

/** The order alternates with each round, so that no server always runs after the other. */
const inTurn = (round: number): Peer[] => (round % 2 === 1 ? ['floor', 'parley'] : ['parley', 'floor'])

async function figures(load: Load, name: Peer, pid: number, run: Run): Promise<Figures> {
  await sleep(quietMs)
  const { found, usage, othersShare } = await measured({ used: () => usageBelow(pid), loads: [load.pid] }, async () => {
    const result = await load.run(name, run)
    await sleep(quietMs)
    return result
  })
  return figuresOf(usage, found, othersShare)
}

/** The server's answers, cut into the part that is equal for all and the event of each. */
function framesOf(recorded: readonly Buffer[]): ParkedFrames {
  const texts = recorded.map(String)
  const head = '{"result":"success","msg":"","events":['
  if (!texts.every(text => text.startsWith(head))) throw new Error('an answer does not look as expected')
  // The queue id has the same length in every answer.
  const tail = `],"queue_id":"${'0'.repeat(36)}"}`
  return { head, tail, events: texts.map(text => text.slice(head.length)) }
}

function resultOf(options: ReturnType<typeof readOptions>, rounds: Rounds, bytes: number): Result {
  const { queues, events, workers, rounds: count, text } = options
  const all = Object.values(rounds).flatMap(({ floor, parley }) => [...floor, ...parley])
  const shares = all.map(({ othersShare }) => othersShare)
  const found = (Object.keys(modes) as Mode[]).map(mode => ({
    mode,
    floor: summaryOf(rounds[mode].floor, rounds[mode].floor),
    parley: summaryOf(rounds[mode].parley, rounds[mode].floor),
  }))
  const [oneAtATime] = found as [(typeof found)[number]]
  return {
    scenario: 'longpoll',
    question: questions.longpoll,
    machine: machine(),
    options: { queues, events, workers, rounds: count, text },
    othersShare: { median: median(shares), most: Math.max(...shares) },
    notes: [
      `Each answer has a body of ${bytes} bytes. A delivery is the answer and the next poll; microseconds are CPU time for one.`,
      'The floor is bare uWebSockets.js, which parks requests and answers them all with the same bytes.',
    ],
    tables: found.map(({ mode, floor, parley }) => ({
      title: `${queues} polls, ${modeNames[mode]}`,
      columns: [
        { name: '' },
        { name: 'server µs', decimals: 2 },
        { name: 'in user mode', percent: true },
        { name: 'Redis µs', decimals: 2 },
        { name: 'PostgreSQL µs', decimals: 2 },
        { name: 'sum µs', decimals: 2 },
        { name: 'spread', percent: true },
        { name: '× floor', decimals: 2 },
        { name: 'deliveries/s' },
        { name: 'p50 ms', decimals: 1 },
        { name: 'p99 ms', decimals: 1 },
        { name: 'client core', percent: true },
      ],
      rows: [row('floor', floor), row('parley', parley)],
    })),
    charts: [
      {
        title: 'CPU of a delivery through GET /events',
        kind: 'bars',
        x: { name: '' },
        y: { name: 'µs' },
        series: (['floor', 'parley'] as const).map(name => ({
          name,
          points: found.map(one => [modeNames[one.mode], one[name].sumUs] as const),
        })),
      },
    ],
    targets: [
      {
        what: 'CPU of all processes per delivery, one event at a time',
        limit: 1.5,
        found: oneAtATime.parley.timesFloor,
        is: 'atMost',
        unit: '× floor',
      },
    ],
  }
}

const row = (name: string, one: Summary) => ({
  name,
  cells: [
    one.serverUs,
    one.userShare,
    one.redisUs,
    one.postgresUs,
    one.sumUs,
    one.spread,
    one.timesFloor,
    one.deliveriesPerSecond,
    one.p50Ms,
    one.p99Ms,
    one.clientCore,
  ],
})
