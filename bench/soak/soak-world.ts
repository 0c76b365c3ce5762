import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Client } from '../../shared/client/client.js'
import { connect } from '../../shared/client/connect.js'
import type { WebSocketClass } from '../../shared/client/web-socket.js'
import type { Account } from '../lib/load-protocol.js'
import { say } from '../lib/say.js'
import { abandonQueue } from './abandoned.js'
import { Deeds, pick } from './deeds.js'
import type { Ledger } from './ledger.js'
import type { SoakOptions } from './options.js'
import type { Reader, Reading } from './reader.js'
import { startReaders } from './readers.js'
import { Regularly } from './regularly.js'
import { floodOnce } from './slow-readers.js'
import { SocketReader } from './socket-reader.js'
import { Traffic } from './traffic.js'
import type { World } from './world.js'

const checkMs = 500
// Number of samples in the plot, for any duration; an interval under two seconds would itself be load.
const samplesPlotted = 240
const leastSampleMs = 2000
const senderClients = 6
// In ms: how long a reader reads before its connection breaks or it registers again.
const undisturbedMs = 30_000
// In ms, from the start of one flood to that of the next: the feed always contains the same number of floods.
const betweenFloodsMs = 60_000
const betweenAbandonedMs = 2_000
const abandonedAtOnce = 4
const betweenRegistersMs = 5_000

/** Starts the clients and the traffic, runs for the given time, and stops them. */
export async function soakWorld(
  { minutes, rate, readers: count, patience, flood }: SoakOptions,
  reading: Reading,
  world: World,
  sample: () => Promise<void>,
): Promise<void> {
  const { ledger, tally, api, fail, idleSeconds } = reading
  const senders = world.people.slice(0, senderClients).map(who => [who, senderOf(reading, who)] as const)
  const readers: Reader[] = await startReaders(reading, world.people, count)
  const slow = await Promise.all(
    world.slow.map((who, i) =>
      new SocketReader(`slow reader ${i}`, reading, who, { codec: 'json', mayLose: true }).start(),
    ),
  )
  const all: Reader[] = [...readers, ...slow]
  const deeds = new Deeds({ world, ledger, tally, api, senders })
  const checks = setInterval(() => check(all, ledger, patience * 1000, fail), checkMs)

  const totalMs = minutes * 60_000
  const regularly = new Regularly(fail)
  const { signal } = regularly
  // Every action happens several times even in a short soak.
  const pause = (ms: number) => () => Math.min(ms, totalMs / 6) * (0.5 + Math.random())
  regularly.every(() => Math.max(leastSampleMs, totalMs / samplesPlotted), sample)
  for (const reader of readers) regularly.every(pause(undisturbedMs), () => reader.disturb())
  let floodedAt = performance.now()
  const floodEveryMs = Math.min(betweenFloodsMs, totalMs / 6)
  regularly.every(
    () => Math.max(0, floodedAt + floodEveryMs - performance.now()),
    () => {
      floodedAt = performance.now()
      return floodOnce(slow, deeds, flood, reading)
    },
  )
  for (let i = 0; i < abandonedAtOnce; i++) {
    regularly.every(pause(betweenAbandonedMs), () => abandonQueue(pick(world.people), reading, signal))
  }
  regularly.every(pause(betweenRegistersMs), async () => {
    await api.call(pick(world.people), 'POST', '/register', { idle_queue_timeout: idleSeconds })
    tally.add('whole states fetched')
  })
  const traffic = new Traffic(deeds, tally, rate, fail)
  await sleep(totalMs)

  say('ending …')
  await traffic.stop()
  await regularly.stop()
  // Half of the readers delete their queues; the server has to evict the others.
  await Promise.all(all.map((reader, i) => reader.stop(i % 2 === 0)))
  clearInterval(checks)
  await Promise.all(senders.map(([, client]) => client.close()))
  api.close()
}

function check(readers: readonly Reader[], ledger: Ledger, patienceMs: number, fail: (error: Error) => void): void {
  let passed = ledger.end
  try {
    for (const reader of readers) {
      reader.check?.proceed(reader.listening, patienceMs)
      if (reader.check) passed = Math.min(passed, reader.check.place)
    }
  } catch (error) {
    fail(error as Error)
  }
  ledger.trim(passed, patienceMs)
}

/** A client without a queue that only sends requests. */
const senderOf = ({ url }: Reading, { email, api_key: apiKey }: Account): Client =>
  connect({ url: url.href, email, apiKey, codec: 'msgpack', webSocket: WebSocket as unknown as WebSocketClass })
