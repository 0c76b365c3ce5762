import { defaultAck } from '../../shared/client/acknowledgements.js'
import { comparison, medianOf, timesFloor } from '../lib/figures.js'
import { numbersOf, readOptions } from '../lib/options.js'
import { atMost, type Result, type Target } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'
import { type Deliveries, type Mode, measureDeliveries, peers } from './runs.js'

const modes: readonly Mode[] = [
  { name: 'one event at a time', limit: 1.15, inFlight: 1 },
  { name: '8 in flight', limit: 1.6, inFlight: 8 },
  { name: '5 events a second', limit: 2, inFlight: 1, perSecond: 5 },
]
const pollModes: readonly Mode[] = [
  { name: 'one event at a time', limit: 1.5, inFlight: 1 },
  { name: '8 in flight', limit: 2.5, inFlight: 8 },
]

const halfLoad: readonly Mode[] = [
  { name: 'half of the load that can be sustained', limit: 2, inFlight: 1, isHalfLoad: true },
]

/** Measures the CPU time of one delivery of a channel message to a socket, and the minimum on this machine. */
export const fanOut = (args: string[]): Promise<Result> =>
  deliveries(args, { queues: '1000,5000', deliveries: 200_000 }, modes, false)

/** The same by answers to waiting polls, next to bare parked responses: a delivery is the answer and the next poll. */
export const longPoll = (args: string[]): Promise<Result> =>
  deliveries(args, { queues: '1000', deliveries: 400_000 }, pollModes, true)

/** The time from sender to 20 readers at half of the load that can be sustained, from the moment at which a message was due. */
export const latency = (args: string[]): Promise<Result> =>
  deliveries(args, { queues: '20', deliveries: 20_000 }, halfLoad, false)

async function deliveries(
  args: string[],
  defaults: { readonly queues: string; readonly deliveries: number },
  measuredModes: readonly Mode[],
  polls: boolean,
): Promise<Result> {
  const options = readOptions(args, {
    ...{ rounds: 3, workers: '1', text: 594 },
    // Most events of a run of five a second: half a minute. Acknowledgements: the default of the client package.
    ...{ paced: 150, ack: defaultAck.ms },
    ...defaults,
  })
  const all: Deliveries[] = []
  for (const workers of numbersOf('workers', options.workers))
    for (const queues of numbersOf('queues', options.queues)) {
      const events = eventsFor(options.deliveries, queues)
      all.push(await measureDeliveries({ ...options, workers, queues, events, modes: measuredModes, polls }))
    }
  return {
    options,
    othersShare: othersShare(
      all.flatMap(one => one.modes.flatMap(({ rounds }) => [...rounds.floor, ...rounds.parley])),
    ),
    notes: [
      'Microseconds are CPU time (user + system) per delivered event; every queue got every event once and in order.',
      'The floor is bare uWebSockets.js, which sends the same bytes as the server did while warming up.',
    ],
    tables: all.flatMap(found =>
      found.modes.map(({ mode, rounds }) =>
        comparison(
          `${titleOf(found)}, ${mode.name}, ${found.bytes} bytes`,
          'deliveries',
          peers.map(peer => [peer, rounds[peer]]),
        ),
      ),
    ),
    targets: [...all.flatMap(found => targetsOf(found, polls)), ...growthTargets(all)],
  }
}

/** Enough events for some seconds of CPU time, measured in ticks of 10 ms, and for the first event to have little weight. */
const eventsFor = (deliveries: number, queues: number): number =>
  Math.max(20, Math.min(1000, Math.round(deliveries / queues)))

const titleOf = ({ queues, workers }: Deliveries) => `${queues} queues, workers: ${workers}`

function targetsOf(found: Deliveries, polls: boolean): Target[] {
  const [first] = found.modes
  if (first?.mode.isHalfLoad)
    return (['p50Ms', 'p99Ms'] as const).map(key => {
      const times = timesFloor(first.rounds.parley, first.rounds.floor, round => round[key])
      return atMost(first.mode.limit, '× floor', `${key.slice(0, 3)} from sender to reader at half load`, times)
    })
  // With few queues, the costs per message dominate those per delivery.
  if (found.queues < 1000 || found.workers > 1) return []
  const targets = found.modes.map(({ mode, rounds }) => {
    const what = `CPU of all processes per delivery, ${titleOf(found)}, ${mode.name}`
    return atMost(mode.limit, '× floor', what, timesFloor(rounds.parley, rounds.floor))
  })
  const redis = medianOf(first?.rounds.parley ?? [], ({ redisUs }) => redisUs)
  return polls ? targets : [...targets, atMost(0.1, 'µs', `Redis CPU per delivery, ${titleOf(found)}`, redis)]
}

/** How the cost of a delivery, one event at a time, grows with queues and with workers. */
function growthTargets(all: readonly Deliveries[]): Target[] {
  const [first, ...others] = all.filter(({ queues }) => queues >= 1000)
  if (!first) return []
  const times = ({ modes: [one] }: Deliveries) => timesFloor(one?.rounds.parley ?? [], one?.rounds.floor ?? [])
  return others.flatMap(found => {
    const what = `cost per delivery, ${titleOf(found)} against ${titleOf(first)}`
    const sameWorkers = found.workers === first.workers && found.queues > first.queues
    const sameQueues = found.queues === first.queues && found.workers > first.workers
    if (!(sameWorkers || sameQueues)) return []
    return [atMost(sameWorkers ? 1.15 : 1.2, '×', what, times(found) / times(first))]
  })
}
