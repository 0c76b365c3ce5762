import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Client } from '../../shared/client/client.js'
import { connect } from '../../shared/client/connect.js'
import type { WebSocketClass } from '../../shared/client/web-socket.js'
import { say } from '../lib/figures.js'
import type { Account } from '../lib/load-protocol.js'
import { Deeds, pick } from './deeds.js'
import type { Ledger } from './ledger.js'
import { PollReader } from './poll-reader.js'
import { caughtUp, type Reader, type Reading } from './reader.js'
import { Regularly } from './regularly.js'
import { SocketReader } from './socket-reader.js'
import type { World } from './world.js'

export const soakDefaults = {
  minutes: 30,
  // Channel messages per second; other actions are proportional.
  rate: 20,
  // Number of queues with a reader.
  readers: 120,
  workers: 2,
  // Seconds until a missing event fails the soak.
  patience: 30,
  // Idle timeout of queues in seconds: longer than any reader is disconnected.
  idle: 30,
  // Number of 10 kB messages that slow readers miss: by default more than all buffers of a socket hold.
  flood: 1000,
}
export type SoakOptions = Readonly<typeof soakDefaults>

const checkMs = 500
// Number of samples, for any duration; an interval under two seconds would itself be load.
const samplesTaken = 240
const leastSampleMs = 2000
const senderClients = 6
// In ms: how long a reader reads before its connection breaks or it registers again.
const undisturbedMs = 30_000
// In ms, from the start of one flood to that of the next: the feed always contains the same number of floods.
const betweenFloodsMs = 60_000
const betweenRegistersMs = 5_000
// Readers that register at once, and flood messages under way; more would overload the server.
const registeredTogether = 20
const floodTogether = 8
// In ms; longer than SOCKET_STALL_SECONDS, after which the server closes the socket.
const asleepMs = 8_000
const tickMs = 100
// Requests in flight; beyond this number the server does not keep up, and further requests wait.
const mostUnderWay = 100

/** The rate of each action, relative to channel messages. */
const shares = {
  ...{ message: 1, messageToChanging: 0.2, direct: 0.2, edit: 0.1, react: 0.1, star: 0.1, read: 0.2 },
  ...{ type: 0.2, remove: 0.02, comeOrGo: 0.05, report: 0.1, page: 0.1 },
} as const

/** Starts the clients and the traffic, runs for the given time, and stops them. */
export async function soakWorld(
  { minutes, rate, readers: count, patience, flood }: SoakOptions,
  reading: Reading,
  world: World,
  sample: () => Promise<void>,
): Promise<void> {
  const { ledger, api, fail, idleSeconds } = reading
  const senders = new Map(world.people.slice(0, senderClients).map(who => [who.id, senderOf(reading, who)]))
  const readers = await startReaders(reading, world.people, count)
  const slow = await Promise.all(
    world.slow.map((who, i) =>
      new SocketReader(`slow reader ${i}`, reading, who, { codec: 'json', mayLose: true }).start(),
    ),
  )
  const all: Reader[] = [...readers, ...slow]
  const deeds = new Deeds(reading, world, senders)
  const checks = setInterval(() => check(all, ledger, patience * 1000, fail), checkMs)

  const totalMs = minutes * 60_000
  const regularly = new Regularly(fail)
  // Every action happens several times even in a short soak.
  const pause = (ms: number) => () => Math.min(ms, totalMs / 6) * (0.5 + Math.random())
  regularly.every(() => Math.max(leastSampleMs, totalMs / samplesTaken), sample)
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
  regularly.every(pause(betweenRegistersMs), async () => {
    await api.call(pick(world.people), 'POST', '/register', { idle_queue_timeout: idleSeconds })
    reading.count('whole states fetched')
  })
  const stopTraffic = startTraffic(deeds, reading, rate)
  await sleep(totalMs)

  say('ending …')
  await stopTraffic()
  await regularly.stop()
  // Half of the readers delete their queues; the server has to evict the others.
  await Promise.all(all.map((reader, i) => reader.stop(i % 2 === 0)))
  clearInterval(checks)
  await Promise.all([...senders.values()].map(client => client.close()))
  api.end()
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

/** Starts this many readers, distributed over the users: of ten, four are sockets in JSON, two in MessagePack, one asks for messages alone, three poll. */
async function startReaders(reading: Reading, people: readonly Account[], count: number): Promise<Reader[]> {
  const readers = Array.from({ length: count }, (_, i) => {
    const [kind, who] = [i % 10, people[i % people.length] as Account]
    if (kind >= 7) return new PollReader(`reader ${i} (long poll)`, reading, who)
    if (kind === 6)
      return new SocketReader(`reader ${i} (messages only)`, reading, who, { codec: 'json', types: ['message'] })
    const codec = kind < 4 ? 'json' : 'msgpack'
    return new SocketReader(`reader ${i} (socket, ${codec})`, reading, who, { codec })
  })
  for (let start = 0; start < readers.length; start += registeredTogether)
    await Promise.all(readers.slice(start, start + registeredTogether).map(reader => reader.start()))
  return readers
}

/**
 * Readers stop reading during heavy traffic: the server closes their sockets and keeps their queues. After
 * reconnecting they must get all missed events, or an error that the queue is gone.
 */
async function floodOnce(readers: readonly SocketReader[], deeds: Deeds, messages: number, reading: Reading) {
  for (const reader of readers) reader.pause()
  reading.count('floods')
  let left = messages
  const loop = async () => {
    while (left-- > 0) await deeds.floodMessage()
  }
  await Promise.all(Array.from({ length: floodTogether }, loop))
  await sleep(asleepMs)
  for (const reader of readers) reader.read()
  await Promise.all(readers.map(reader => caughtUp(reader, reading.ledger)))
}

/** Runs all kinds of actions at an even rate. The returned function resolves when all running actions have ended. */
function startTraffic(deeds: Deeds, { count, fail }: Reading, perSecond: number): () => Promise<void> {
  const owed = new Map<string, number>()
  let underWay = 0
  const act = async (what: keyof typeof shares) => {
    if (underWay >= mostUnderWay) return count('left out, because the server was behind')
    underWay += 1
    try {
      await deeds[what]()
    } catch (error) {
      fail(error as Error)
    }
    underWay -= 1
  }
  const timer = setInterval(() => {
    for (const [what, share] of Object.entries(shares)) {
      const due = (owed.get(what) ?? Math.random()) + (perSecond * share * tickMs) / 1000
      owed.set(what, due % 1)
      for (let i = 0; i < Math.floor(due); i++) void act(what as keyof typeof shares)
    }
  }, tickMs)
  return async () => {
    clearInterval(timer)
    while (underWay > 0) await sleep(tickMs)
  }
}
