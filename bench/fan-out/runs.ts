import { setTimeout as sleep } from 'node:timers/promises'
import { Floor } from '../lib/child.js'
import { usageBelow } from '../lib/cpu.js'
import { type Figures, figuresOf, inTurn, say } from '../lib/figures.js'
import type { FloorFrames } from '../lib/floor-process.js'
import { Load } from '../lib/load.js'
import { measured } from '../lib/measured.js'
import type { ParkedFrames } from '../lib/parked-floor-process.js'
import { type Audience, makeAudience } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import { type Undo, undone } from '../lib/undo.js'
import { warmUp } from '../lib/warm-up.js'

/** Messages in flight: one, so that no batching is possible, a burst, or few a second, so that each is acknowledged by itself. */
export interface Mode {
  readonly name: string
  readonly inFlight: number
  readonly perSecond?: number
  /** Sends half of what 64 senders get through, whatever has arrived; the floor stores each message as one row first. */
  readonly isHalfLoad?: boolean
  /** The target: CPU of all processes, as a multiple of the floor's; under half load p50 and p99. */
  readonly limit: number
}

export const peers = ['floor', 'parley'] as const
export type Peer = (typeof peers)[number]

interface DeliveryOptions {
  readonly queues: number
  readonly workers: number
  readonly polls: boolean
  readonly rounds: number
  /** Number of events in each run, and the most of a run of few a second. */
  readonly events: number
  readonly paced: number
  readonly text: number
  readonly ack: number
  readonly modes: readonly Mode[]
}

/** The measurements with one number of queues and of workers. */
export interface Deliveries {
  readonly queues: number
  readonly workers: number
  readonly bytes: number
  readonly modes: readonly { readonly mode: Mode; readonly rounds: Readonly<Record<Peer, readonly Figures[]>> }[]
}

const mostInFlight = 64
// Parley's deferred work (acknowledgements, the outbox) counts for the run that caused it; it ends within this time, in
// ms.
const restMs = { parley: 1500, floor: 200 }

/** Measures the delivery to a channel by Parley and the floor in turn, with the same bytes. */
export const measureDeliveries = (options: DeliveryOptions): Promise<Deliveries> =>
  undone(async undo => {
    const { queues, workers, polls, events, paced, rounds: count } = options
    say(`starting the server, workers: ${workers}, and the floor …`)
    const server = await RealServer.started(undo, { WORKERS: String(workers) })
    const floor = await Floor.start<FloorFrames | ParkedFrames>(
      undo,
      polls ? 'lib/parked-floor-process' : 'lib/floor-process',
    )
    const audience = await makeAudience(server, queues)
    await warmUp(server, audience.sender, events * queues)
    say(`${queues} queues: opening them, warming up …`)
    const loads = await openLoads(undo, options, audience, { parley: server.port, floor: floor.port })
    const { first, recorded } = await loads.parley.run('parley', { events, inFlight: 1, isRecording: true })
    if (recorded.length !== events) throw new Error(`${recorded.length} frames for ${events} events sent one at a time`)
    const frames = polls ? parkedFramesOf(recorded) : { frames: recorded }
    const stores = { database: server.address('DATABASE'), content: 'x'.repeat(options.text) }
    const used = {
      parley: () => usageBelow(server.pid),
      // Of the server beside it, the floor uses PostgreSQL at most.
      floor: () => ({ ...usageBelow(floor.pid), postgres: usageBelow(server.pid).postgres }),
    }

    const run = async (peer: Peer, { inFlight, perSecond, isHalfLoad }: Mode): Promise<Figures> => {
      const load = loads[peer]
      // The last run may not have sent all of the frames.
      if (peer === 'floor') await floor.ask({ ...frames, ...(isHalfLoad && { stores }) })
      await load.ask({ do: 'settle', name: peer })
      await sleep(restMs[peer])
      const sent = perSecond === undefined || isHalfLoad ? events : Math.min(events, paced)
      const ran = { events: sent, inFlight, perSecond, ...(peer === 'floor' && { first }) }
      return figuresOf(
        await measured({ used: used[peer], loads: [load.pid] }, async () => {
          const result = await load.run(peer, ran)
          await load.ask({ do: 'settle', name: peer })
          await sleep(restMs[peer])
          return result
        }),
      )
    }
    const modes = []
    for (const mode of options.modes) {
      for (const peer of peers) await run(peer, mode)
      const ran = mode.isHalfLoad ? { ...mode, perSecond: await halfLoad(loads.parley, events) } : mode
      say(`${mode.name}${ran.perSecond ? `, ${ran.perSecond} messages a second` : ''}:`)
      modes.push({ mode, rounds: await inTurn(count, peers, peer => run(peer, ran)) })
    }
    const bytes = Math.round(recorded.reduce((sum, { length }) => sum + length, 0) / recorded.length)
    return { queues, workers, bytes, modes }
  })

/** Half of the messages a second that 64 senders get through. */
async function halfLoad(load: Load, events: number): Promise<number> {
  await load.run('parley', { events, inFlight: mostInFlight })
  const { elapsedMs } = await load.run('parley', { events, inFlight: mostInFlight })
  return Math.round((events / elapsedMs) * 500)
}

/** One process per server, because the number of open sockets per process is limited. */
async function openLoads(
  undo: Undo,
  { polls, text, ack }: DeliveryOptions,
  { sender, subscribers: accounts, channelId }: Audience,
  ports: Readonly<Record<Peer, number>>,
): Promise<Record<Peer, Load>> {
  const loads = { floor: new Load(undo), parley: new Load(undo) }
  for (const name of peers) {
    const target = { name, port: ports[name], polls, isFloor: name === 'floor', accounts, sender, channelId }
    await loads[name].ask({ do: 'open', target: { ...target, textLength: text, ackMs: ack } })
  }
  return loads
}

/** The server's answers to polls, cut into the part that is equal for all and the event of each. */
function parkedFramesOf(recorded: readonly Buffer[]): ParkedFrames {
  const texts = recorded.map(String)
  const head = '{"result":"success","msg":"","events":['
  if (!texts.every(text => text.startsWith(head))) throw new Error('an answer does not look as expected')
  // The queue id has the same length in every answer.
  const tail = `],"queue_id":"${'0'.repeat(36)}"}`
  return { head, tail, events: texts.map(text => text.slice(head.length)) }
}
