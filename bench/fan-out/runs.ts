import { setTimeout as sleep } from 'node:timers/promises'
import type { Codec } from '../../shared/wire/codec.js'
import { type Usage, usageOf } from '../lib/cpu.js'
import { type Figures, figuresOf } from '../lib/figures.js'
import { Load } from '../lib/load.js'
import type { Account, Run } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import type { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import type { Undo } from '../lib/undo.js'
import { type PeerName, peerNames, startPeer } from './peer.js'

/** Messages in flight: one, so that no batching is possible, a burst, or few a second, so that each is acknowledged by itself. */
export const modes = {
  oneAtATime: { inFlight: 1 },
  eightInFlight: { inFlight: 8 },
  paced: { inFlight: 1, perSecond: 5 },
} as const satisfies Record<string, Pick<Run, 'inFlight' | 'perSecond'>>
export type Mode = keyof typeof modes
export const modeNames: Record<Mode, string> = {
  oneAtATime: 'one event at a time',
  eightInFlight: '8 in flight',
  paced: '5 events a second',
}

/** The figures of each round of each server, by mode. */
export type Rounds = Record<Mode, Partial<Record<PeerName, Figures[]>>>

export interface RunOptions {
  readonly codec: Codec
  readonly rounds: number
  /** Number of events in each run. */
  readonly events: number
  /** Most events of a run of five a second. */
  readonly paced: number
  readonly text: number
  readonly ack: number
  readonly peers: readonly PeerName[]
  readonly modes: readonly Mode[]
}

export interface Channel {
  readonly sender: Account
  readonly subscribers: readonly Account[]
  readonly channelId: number
}

interface Opened {
  readonly load: Load
  readonly used: () => Usage
  /** For a server whose numbers restart with each run; those of Parley continue. */
  readonly again?: {
    /** The number of the first event. */
    readonly first: number
    /** Lets the server start at the first frame: the last run may not have sent all of them. */
    readonly rewind: () => Promise<void>
  }
}

// Parley's deferred work (acknowledgements, the outbox) counts for the run that caused it; it ends within this time, in
// ms.
const restMs = { parley: 1500, peer: 200 }

/** Measures the delivery to a channel by Parley and its peers in turn, with the same bytes. */
export async function fanOutRounds(
  server: RealServer,
  channel: Channel,
  options: RunOptions,
  undo: Undo,
  /** Redis processes of the server that are not its descendants. */
  redisPids: readonly number[] = [],
) {
  const { codec, events, paced, rounds: count, peers } = options
  const opened = new Map<PeerName, Opened>()
  const open = async (name: PeerName, port: number, used: () => Usage, again?: Opened['again']) => {
    // One process per server, because the number of open sockets per process is limited.
    const load = new Load()
    undo.push(() => load.stop())
    const { sender, subscribers: accounts, channelId } = channel
    const [isFloor, isSocketIo] = [name !== 'parley', name === 'socketio']
    const target = { name, host: '127.0.0.1', port, codec, accounts, sender, channelId, isFloor, isSocketIo }
    await load.open({ ...target, textLength: options.text, ackMs: options.ack })
    opened.set(name, { load, used, ...(again && { again }) })
    return load
  }

  say(`${channel.subscribers.length} queues, ${codec}: opening sockets, warming up …`)
  const ours = await open('parley', Number(server.url.port), () => usageOf(server.pid, redisPids))
  const { first, recorded } = await ours.run('parley', { events, inFlight: 1, isRecording: true })
  if (recorded.length !== events) throw new Error(`${recorded.length} frames for ${events} events sent one at a time`)
  for (const name of peers) {
    if (name === 'parley') continue
    const peer = await startPeer(name, undo)
    const rewind = () => peer.hold({ frames: recorded, isBinary: codec === 'msgpack' })
    await open(name, peer.port, peer.used, { first, rewind })
  }

  const runsIn = (mode: Mode) => peers.filter(name => mode === 'oneAtATime' || name === 'floor' || name === 'parley')
  const run = async (name: PeerName, mode: Mode) => {
    const { load, used, again } = opened.get(name) as Opened
    await again?.rewind()
    const sent = mode === 'paced' ? Math.min(events, paced) : events
    return runOnce(load, name, used, { events: sent, ...modes[mode], ...(again && { first: again.first }) })
  }
  for (const mode of options.modes) for (const name of runsIn(mode)) await run(name, mode)

  const rounds: Rounds = { oneAtATime: {}, eightInFlight: {}, paced: {} }
  for (let round = 1; round <= count; round++) {
    for (const mode of options.modes) {
      for (const name of inTurn(runsIn(mode), round)) {
        const figures = await run(name, mode)
        const list = rounds[mode][name] ?? []
        list.push(figures)
        rounds[mode][name] = list
      }
      const found = runsIn(mode).map(name => `${peerNames[name]} ${rounds[mode][name]?.at(-1)?.sumUs.toFixed(2)}`)
      say(`round ${round}, ${modeNames[mode]}, µs: ${found.join(', ')}`)
    }
  }
  for (const { load } of opened.values()) load.stop()
  return { rounds, frameBytes: Math.round(recorded.reduce((sum, { length }) => sum + length, 0) / recorded.length) }
}

/** The order rotates with each round, so that no server always follows the same one. */
function inTurn(names: readonly PeerName[], round: number): PeerName[] {
  const start = (round - 1) % names.length
  return [...names.slice(start), ...names.slice(0, start)]
}

async function runOnce(load: Load, name: PeerName, used: () => Usage, run: Run): Promise<Figures> {
  const rest = name === 'parley' ? restMs.parley : restMs.peer
  await load.settle(name)
  await sleep(rest)
  const { found, usage, othersShare } = await measured({ used, loads: [load.pid] }, async () => {
    const result = await load.run(name, run)
    await load.settle(name)
    await sleep(rest)
    return result
  })
  return figuresOf(usage, found, othersShare)
}
