import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Client } from '../../shared/client/client.js'
import { connect } from '../../shared/client/connect.js'
import type { WebSocketClass } from '../../shared/client/web-socket.js'
import type { Account } from '../lib/load-protocol.js'
import { say } from '../lib/say.js'
import type { Undo } from '../lib/undo.js'
import { abandonQueue } from './abandoned.js'
import { Api } from './api.js'
import { Deeds } from './deeds.js'
import { Ledger } from './ledger.js'
import type { SoakOptions } from './options.js'
import type { Reader, Reading } from './reader.js'
import { startReaders } from './readers.js'
import { Regularly } from './regularly.js'
import type { Sample, Sampler } from './sampler.js'
import { floodOnce } from './slow-readers.js'
import { SocketReader } from './socket-reader.js'
import { Tally } from './tally.js'
import { Traffic } from './traffic.js'
import { makeWorld, type World } from './world.js'

export interface SoakTarget {
  readonly url: URL
  readonly accounts: readonly Account[]
  readonly slowReaders: number
  readonly sampler: Pick<Sampler, 'sample' | 'keys'>
}

/** What was seen. */
export interface Course {
  readonly samples: readonly Sample[]
  /** Before anybody came, and after all have gone. */
  readonly before: Sample
  readonly after: Sample
  /** Keys of Redis that are left and were not there before. */
  readonly left: readonly string[]
  readonly tally: Tally
}

const checkMs = 500
// So many samples make the plot, whatever the time; more often than every two seconds would be work of its own.
const samplesPlotted = 240
const leastSampleMs = 2000
const senderClients = 6
// How long a reader reads until its connection breaks, or it begins anew.
const undisturbedMs = 30_000
// Queues that nobody reads any more are collected after their idle time, and the server looks for them only from time to time.
const settleMs = 240_000

/** All kinds of traffic for so long, every queue checked. @throws at the first event that is lost, repeated, late or leaked. */
export async function runSoak(options: SoakOptions, target: SoakTarget, undo: Undo): Promise<Course> {
  const { url, accounts, sampler } = target
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const api = new Api(url)
  undo.push(() => api.close())
  const reading: Reading = { ledger: new Ledger(), tally: new Tally(), url, api, fail: error => fail(error) }
  const before = await sampler.sample()
  const keysBefore = new Set(await sampler.keys())
  const course = async (): Promise<Course> => {
    const samples: Sample[] = []
    say('making channels, clients and queues …')
    const world = await makeWorld(api, accounts, target.slowReaders)
    await soakWorld(options, reading, world, async () => {
      const sample = await sampler.sample()
      samples.push(sample)
      say(lineOf(sample, reading))
    })
    say('waiting until all queues have been collected …')
    const after = await settled(sampler, before)
    const left = (await sampler.keys()).filter(key => !keysBefore.has(key))
    return { samples, before, after, left, tally: reading.tally }
  }
  return Promise.race([course(), failed])
}

async function soakWorld(
  { minutes, rate, readers: count, patience }: SoakOptions,
  reading: Reading,
  world: World,
  sample: () => Promise<void>,
): Promise<void> {
  const { ledger, tally, api, fail } = reading
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
  const regularly = new Regularly(fail)
  const someone = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One
  const totalMs = minutes * 60_000
  regularly.every(() => Math.max(leastSampleMs, totalMs / samplesPlotted), sample)
  for (const reader of readers)
    regularly.every(
      () => undisturbedMs * (0.5 + Math.random()),
      () => reader.disturb(),
    )
  regularly.every(
    () => 20_000,
    () => floodOnce(slow, deeds, reading),
  )
  regularly.every(
    () => 2_000,
    () => abandonQueue(someone(world.people), reading, regularly.signal),
  )
  regularly.every(
    () => 5_000,
    async () => {
      const { queue_id } = await api.call(someone(world.people), 'POST', '/register', { idle_queue_timeout: 10 })
      tally.add(queue_id ? 'whole states fetched' : 'states without a queue')
    },
  )
  const traffic = new Traffic(deeds, tally, rate, fail)
  await sleep(totalMs)

  say('ending …')
  await traffic.stop()
  await regularly.stop()
  // Half of them say that they go; of the others the server has to find out.
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

/** A client that has no queue: it only asks. */
const senderOf = ({ url }: Reading, { email, api_key: apiKey }: Account): Client =>
  connect({ url: url.href, email, apiKey, codec: 'msgpack', webSocket: WebSocket as unknown as WebSocketClass })

/** As it was before anybody came, or as it is when that takes too long. */
async function settled(sampler: SoakTarget['sampler'], before: Sample): Promise<Sample> {
  const late = performance.now() + settleMs
  for (;;) {
    const sample = await sampler.sample()
    const { queues, logs } = sample.redis
    if (queues <= before.redis.queues && logs <= before.redis.logs && sample.database.outbox === 0) return sample
    if (performance.now() > late) return sample
    await sleep(1000)
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

function lineOf({ minute, workers, redis, database }: Sample, { ledger, tally }: Reading): string {
  const heaps = workers
    .map(({ bytes, heapBytes }) => `${megabytes(bytes)} (heap ${megabytes(heapBytes)})`)
    .join(' and ')
  return (
    `${minute.toFixed(1)} min: workers ${heaps}, Redis ${megabytes(redis.usedBytes)}, ${redis.queues} queues, ` +
    `${redis.feedEntries} feed entries, ${tally.of('did: messages')} messages, outbox ${database.outbox}, ${ledger.size} under way`
  )
}
