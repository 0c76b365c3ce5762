import { parseArgs } from 'node:util'
import { defaultAck } from '../../shared/client/acknowledgements.js'
import { count, eventsFor, mostPaced } from '../fan-out/options.js'
import { fanOutRounds } from '../fan-out/runs.js'
import type { FanOutFound } from '../fan-out/table.js'
import { makeAudience, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { undone } from '../lib/undo.js'
import { warmUp } from '../lib/warm-up.js'
import { RedisCluster } from './redis-cluster.js'
import { type Arrangement, growthResult } from './result.js'

const arrangements = [
  { name: '1 worker', workers: 1, isCluster: false },
  { name: '2 workers', workers: 2, isCluster: false },
  { name: '1 worker, Redis Cluster of three', workers: 1, isCluster: true },
]

/** Measures whether the cost of a delivery grows with queues, workers, or a cluster. */
export async function growth(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queues: { type: 'string', default: '100,1000,10000' },
      deliveries: { type: 'string', default: '150000' },
      rounds: { type: 'string', default: '3' },
      /** Skips the configuration with the cluster. */
      'no-cluster': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const sizes = values.queues.split(',').map(text => count('queues', text))
  const [deliveries, rounds] = [count('deliveries', values.deliveries), count('rounds', values.rounds)]
  const all: Arrangement[] = []
  for (const arrangement of arrangements) {
    if (arrangement.isCluster && values['no-cluster']) continue
    say(`${arrangement.name}:`)
    all.push({ ...arrangement, sizes: await measureAll(arrangement, sizes, deliveries, rounds) })
  }
  printResult(growthResult({ queues: values.queues, deliveries, rounds }, all), values.json)
}

/** Uses one server for all sizes; each size has its own users, so that leftover queues get no events. */
function measureAll(
  { workers, isCluster }: (typeof arrangements)[number],
  sizes: readonly number[],
  deliveries: number,
  rounds: number,
): Promise<FanOutFound[]> {
  return undone(async undo => {
    const cluster = isCluster ? await RedisCluster.start() : undefined
    if (cluster) undo.push(() => cluster.stop())
    const server = await RealServer.start({
      WORKERS: String(workers),
      ...(cluster && { REDIS_URL: cluster.url, DATABASE_URL: 'embedded' }),
    })
    undo.push(() => server.stop())
    const allPeople = await makeAudience(
      server,
      sizes.reduce((sum, size) => sum + size),
    )
    await warmUp(server, allPeople.sender, deliveries)
    const found: FanOutFound[] = []
    let taken = 0
    for (const queues of sizes) {
      const subscribers = allPeople.subscribers.slice(taken, taken + queues)
      taken += queues
      const channelId = await makeChannel(server, allPeople.sender, `of ${queues}`, subscribers)
      const run = {
        codec: 'json',
        rounds,
        events: eventsFor(deliveries, queues),
        paced: mostPaced,
        text: 594,
        ack: defaultAck.ms,
        peers: ['floor', 'parley'],
        modes: ['oneAtATime'],
      } as const
      const others = cluster?.nodes.map(({ pid }) => pid) ?? []
      found.push({
        queues,
        codec: 'json',
        ...(await fanOutRounds(server, { ...allPeople, subscribers, channelId }, run, undo, others)),
      })
    }
    return found
  })
}
