import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { total, usageBelow } from '../lib/cpu.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { say } from '../lib/say.js'
import type { Undo } from '../lib/undo.js'
import { Api } from './api.js'
import { Ledger } from './ledger.js'
import type { SoakOptions } from './options.js'
import type { Reading } from './reader.js'
import type { Sample, Sampler } from './sampler.js'
import { soakWorld } from './soak-world.js'
import { Tally } from './tally.js'
import { makeWorld } from './world.js'

export interface SoakTarget {
  readonly url: URL
  readonly accounts: readonly Account[]
  readonly slowReaders: number
  readonly sampler: Pick<Sampler, 'sample' | 'keys'>
}

/** The observations of a soak. */
export interface Course {
  readonly samples: readonly Sample[]
  /** Before the first client connects, and after the last has disconnected. */
  readonly before: Sample
  readonly after: Sample
  /** Redis keys at the end that did not exist at the start. */
  readonly left: readonly string[]
  readonly tally: Tally
  /** Shares of the machine's CPU time during the traffic. */
  readonly shares: Readonly<Record<'server' | 'redis' | 'postgres' | 'load' | 'others', number>>
}

// In ms; far longer than the idle timeout of queues without a reader.
const settleMs = 120_000

/** Runs all kinds of traffic and checks every queue. @throws at the first event that is lost, repeated, late or leaked. */
export async function runSoak(options: SoakOptions, target: SoakTarget, undo: Undo): Promise<Course> {
  const { url, sampler } = target
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const api = new Api(url)
  undo.push(() => api.close())
  const reading: Reading = {
    ledger: new Ledger(),
    tally: new Tally(),
    url,
    api,
    idleSeconds: options.idle,
    fail: error => fail(error),
  }
  return Promise.race([courseOf(options, target, reading, sampler), failed])
}

async function courseOf(
  options: SoakOptions,
  { accounts, slowReaders }: SoakTarget,
  reading: Reading,
  sampler: SoakTarget['sampler'],
): Promise<Course> {
  const before = await sampler.sample()
  const keysBefore = new Set(await sampler.keys())
  const samples: Sample[] = []
  say('making channels, clients and queues …')
  const world = await makeWorld(reading.api, accounts, slowReaders)
  const shares = await sharesOf(() =>
    soakWorld(options, reading, world, async () => {
      const sample = await sampler.sample()
      samples.push(sample)
      say(lineOf(sample, reading))
    }),
  )
  say('waiting until all queues have been collected …')
  const after = await settled(sampler, before, options.idle * 1000 + settleMs)
  const left = (await sampler.keys()).filter(key => !keysBefore.has(key))
  return { samples, before, after, left, tally: reading.tally, shares }
}

/** Shares of the CPU time during `work`: this process is the load, and the server is its descendant. */
async function sharesOf(work: () => Promise<void>): Promise<Course['shares']> {
  const own = process.cpuUsage()
  const {
    usage,
    elapsedMs,
    othersShare: others,
  } = await measured({ used: () => usageBelow(process.pid), loads: [] }, work)
  const { user, system } = process.cpuUsage(own)
  const all = elapsedMs * 1000 * availableParallelism()
  const load = (user + system) / all
  return {
    server: total(usage.server) / all - load,
    redis: total(usage.redis) / all,
    postgres: total(usage.postgres) / all,
    load,
    others,
  }
}

/** Waits until the server is as small as before the traffic, or until the timeout; returns the last sample. */
async function settled(sampler: SoakTarget['sampler'], before: Sample, patienceMs: number): Promise<Sample> {
  const late = performance.now() + patienceMs
  for (;;) {
    const sample = await sampler.sample()
    const { queues, logs } = sample.redis
    if (queues <= before.redis.queues && logs <= before.redis.logs && sample.database.outbox === 0) return sample
    if (performance.now() > late) return sample
    say(`${queues} queues, ${logs} logs, ${sample.database.outbox} rows of the outbox are left`)
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
