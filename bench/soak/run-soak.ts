import { setTimeout as sleep } from 'node:timers/promises'
import { usageBelow } from '../lib/cpu.js'
import { say } from '../lib/figures.js'
import { HttpClient } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import type { Undo } from '../lib/undo.js'
import { Ledger } from './ledger.js'
import type { Reading } from './reader.js'
import type { Sample, Sampler } from './sampler.js'
import { type SoakOptions, soakWorld } from './soak-world.js'
import { makeWorld } from './world.js'

interface SoakTarget {
  readonly url: URL
  readonly accounts: readonly Account[]
  readonly slowReaders: number
  readonly sampler: Sampler
}

/** The observations of a soak. */
export interface Course {
  readonly samples: readonly Sample[]
  /** Before the first client connects, and after the last has disconnected. */
  readonly before: Sample
  readonly after: Sample
  /** How often things happened. */
  readonly tally: ReadonlyMap<string, number>
  /** Share of the machine that other programs took during the traffic. */
  readonly othersShare: number
}

// In ms; far longer than the idle timeout of queues without a reader.
const settleMs = 120_000

/** Runs all kinds of traffic and checks every queue. @throws at the first event that is lost, repeated, late or leaked. */
export async function runSoak(options: SoakOptions, target: SoakTarget, undo: Undo): Promise<Course> {
  const { url } = target
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const api = new HttpClient({ port: Number(url.port) })
  undo.push(() => api.end())
  const tally = new Map<string, number>()
  const count = (what: string) => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const reading = {
    ledger: new Ledger(),
    count,
    url,
    api,
    idleSeconds: options.idle,
    fail: (error: Error) => fail(error),
  }
  return Promise.race([courseOf(options, target, reading, tally), failed])
}

async function courseOf(
  options: SoakOptions,
  { accounts, slowReaders, sampler }: SoakTarget,
  reading: Reading,
  tally: Course['tally'],
): Promise<Course> {
  const before = await sampler.sample()
  const samples: Sample[] = []
  say('making channels, clients and queues …')
  const world = await makeWorld(reading.api, accounts, slowReaders)
  const { othersShare } = await measured({ used: () => usageBelow(process.pid), loads: [] }, () =>
    soakWorld(options, reading, world, async () => {
      const sample = await sampler.sample()
      samples.push(sample)
      const { minute, bytes, redis, database } = sample
      const [workers, heaps, data] = [bytes.worker, bytes.heap, redis.usedBytes].map(size => Math.round(size / 1e6))
      say(
        `${minute.toFixed(1)} min: workers ${workers} MB (heap ${heaps} MB), Redis ${data} MB, ${redis.queues} queues, ` +
          `${redis.feedEntries} feed entries, ${tally.get('did: messages')} messages, outbox ${database.outbox}, ${reading.ledger.size} under way`,
      )
    }),
  )
  say('waiting until all queues have been collected …')
  const after = await settled(sampler, before, options.idle * 1000 + settleMs)
  return { samples, before, after, tally, othersShare }
}

/** Waits until the server is as small as before the traffic, or until the timeout; returns the last sample. */
async function settled(sampler: Sampler, before: Sample, patienceMs: number): Promise<Sample> {
  const late = performance.now() + patienceMs
  for (;;) {
    const sample = await sampler.sample()
    const { queues, logs } = sample.redis
    const isSmall = queues <= before.redis.queues && logs <= before.redis.logs && sample.database.outbox === 0
    if (isSmall || performance.now() > late) return sample
    say(`${queues} queues, ${logs} logs, ${sample.database.outbox} rows of the outbox are left`)
    await sleep(1000)
  }
}
