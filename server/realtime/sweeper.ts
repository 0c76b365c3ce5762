import { logFailure } from '../log-failure.js'
import type { Claims } from './claims.js'
import { encodeInternal } from './entry.js'
import type { Feed } from './feed.js'
import type { Lease } from './lease.js'
import type { OutboxSweep } from './outbox-sweep.js'
import type { Parts } from './parts.js'
import type { Publisher } from './publisher.js'

// Twice as long as a sweep takes to come round: the keeper may die, too.
const keeperMilliseconds = 3500
const adoptMilliseconds = 30_000
// The feed remembers outbox ids for at least this long, and until the outbox is empty of older rows.
const seenMilliseconds = 120_000

/** What one worker does for all: the outbox's leftovers, the queues of dead workers, the feed's size, its tick. */
export class Sweeper {
  readonly #parts: Parts
  readonly #lease: Lease
  readonly #claims: Claims
  readonly #outbox: OutboxSweep
  readonly #feed: Feed
  readonly #publisher: Publisher
  #underWay: Promise<void> | undefined
  #isStopped = false
  #trimmedAt = 0
  #tickedAt: number

  constructor(parts: Parts, lease: Lease, claims: Claims, outbox: OutboxSweep, feed: Feed, publisher: Publisher) {
    this.#parts = parts
    this.#lease = lease
    this.#claims = claims
    this.#outbox = outbox
    this.#feed = feed
    this.#publisher = publisher
    this.#tickedAt = parts.clock.now()
  }

  /** `urgent`: a worker has just died: every worker looks, and at all rows. Nothing while another sweep is under way. */
  sweep(urgent = false): void {
    if (this.#isStopped) return
    this.#underWay ??= this.#sweep(urgent).finally(() => {
      this.#underWay = undefined
    })
  }

  async #sweep(urgent: boolean): Promise<void> {
    try {
      const { timing } = this.#parts
      const isKeeper = await this.#lease.hold('keeper', keeperMilliseconds)
      if (urgent || isKeeper || this.#publisher.isLeft) {
        await this.#careful('the outbox', () => this.#outbox.sweep(urgent ? 0 : timing.outboxAge))
      }
      if (urgent || isKeeper) await this.#careful('dead workers', () => this.#adopt())
      if (isKeeper) await this.#careful('the feed', () => this.#keepFeed())
    } catch (error) {
      logFailure(this.#parts, error, 'no sweep')
    }
  }

  /** Moves the feed on by an event for nobody: ids for heartbeats run out between two events. */
  tick(): void {
    this.#tickedAt = this.#parts.clock.now()
    this.#publisher.publish([{ bytes: encodeInternal('_tick'), outboxId: 0, xid: '', messageId: 0 }])
  }

  /** Resolves when the sweep under way has ended: what it adopts must not become ours when we are gone. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#underWay
  }

  /** Another worker may be the keeper at once. */
  async resign(): Promise<void> {
    await this.#lease.release('keeper')
  }

  async #careful(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) return
    try {
      await work()
    } catch (error) {
      logFailure(this.#parts, error, 'a sweep failed: again in a moment', { what })
    }
  }

  async #adopt(): Promise<void> {
    const { redis, keys, log } = this.#parts
    for (const dead of await this.#lease.dead()) {
      if (this.#isStopped) return
      const task = `adopt:${dead}`
      if (!(await this.#lease.hold(task, adoptMilliseconds))) continue
      try {
        const queues = (await redis.command('SMEMBERS', keys.queuesOf(dead))) as Buffer[]
        const count = await this.#claims.adopt(queues.map(String), dead)
        await this.#lease.bury(dead)
        if (count > 0) log.info({ worker: dead, queues: count }, 'adopted the queues of a dead worker')
      } finally {
        await this.#lease.release(task)
      }
    }
  }

  async #keepFeed(): Promise<void> {
    const { clock, timing, config } = this.#parts
    const now = clock.now()
    if (now - this.#tickedAt >= Math.min(timing.tick, config.heartbeatSeconds * 5000)) this.tick()
    if (now - this.#trimmedAt < timing.trim) return
    this.#trimmedAt = now
    await this.#trim()
  }

  async #trim(): Promise<void> {
    const { redis, keys, config } = this.#parts
    const { last } = await this.#feed.ends()
    if (last === 0) return
    // By the feed's own clock. Whole nodes of the stream go: exact trimming would cost more and gain nothing.
    const oldest = Math.max(0, last - config.feedRetention * 1_000_000)
    await redis.command('XTRIM', keys.feed, 'MINID', '~', `${oldest}-0`)
    const bytes = Number(await redis.command('MEMORY', 'USAGE', keys.feed, 'SAMPLES', 8))
    if (bytes > config.feedMaxBytes) {
      const length = Number(await redis.command('XLEN', keys.feed))
      await redis.command('XTRIM', keys.feed, 'MAXLEN', '~', Math.floor((length * config.feedMaxBytes * 0.9) / bytes))
    }
    if (await this.#outbox.isEmpty(seenMilliseconds / 4)) {
      await redis.command('ZREMRANGEBYSCORE', keys.seen, '-inf', last - seenMilliseconds * 1000)
    }
  }
}
