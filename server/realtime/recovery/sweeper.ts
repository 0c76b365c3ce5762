import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Feed, Publisher } from '../feed/index.js'
import type { Claims, Lease } from '../ownership/index.js'
import type { OutboxSweep } from './outbox-sweep.js'

// Lifetime of the sweep lock: longer than several sweep intervals, and short enough to replace a dead sweeper soon.
const keeperMs = 3500
const adoptMs = 30_000
// Redis remembers the outbox ids of published rows for at least this long, and as long as the outbox holds older rows.
const seenMs = 120_000

interface SweeperParts {
  readonly lease: Lease
  readonly claims: Claims
  readonly outbox: OutboxSweep
  readonly feed: Feed
  readonly publisher: Publisher
}

/** The tasks that one worker does for all workers: sweep the outbox, adopt queues of dead workers, trim the feed, publish ticks. */
export class Sweeper {
  private underWay: Promise<void> | undefined
  private isStopped = false
  private trimmedAt = 0

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: SweeperParts,
  ) {}

  /**
   * Starts a sweep unless one is running. `urgent`: a worker has just died, so this worker sweeps rows of any age and adopts queues
   * even without the sweep lock.
   */
  sweep(urgent = false): void {
    if (this.isStopped) return
    this.underWay ??= this._sweep(urgent).finally(() => {
      this.underWay = undefined
    })
  }

  private async _sweep(urgent: boolean): Promise<void> {
    try {
      const { timing } = this.deps
      const isKeeper = await this.parts.lease.hold('keeper', keeperMs)
      if (urgent || isKeeper || this.parts.publisher.isLeft) {
        await this.careful('the outbox', () => this.parts.outbox.sweep(urgent ? 0 : timing.outboxAgeMs))
      }
      if (urgent || isKeeper) await this.careful('dead workers', () => this.adopt())
      if (isKeeper) await this.careful('the feed', () => this.keepFeed())
    } catch (error) {
      logFailure(this.deps, error, 'the sweep could not start')
    }
  }

  /** Resolves when a running sweep has ended: a worker that has stopped must not adopt queues. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.underWay
  }

  /** Releases the sweep lock, so that another worker can take it at once. */
  async resign(): Promise<void> {
    await this.parts.lease.release('keeper')
  }

  private async careful(what: string, work: () => Promise<void>): Promise<void> {
    if (this.isStopped) return
    try {
      await work()
    } catch (error) {
      logFailure(this.deps, error, 'a sweep failed: retrying', { what })
    }
  }

  private async adopt(): Promise<void> {
    const { redis, keys, log } = this.deps
    for (const dead of await this.parts.lease.dead()) {
      if (this.isStopped) return
      const task = `adopt:${dead}`
      if (!(await this.parts.lease.hold(task, adoptMs))) continue
      try {
        const queues = (await redis.command('SMEMBERS', keys.queuesOf(dead))) as Buffer[]
        const count = await this.parts.claims.adopt(queues.map(String), dead)
        await this.parts.lease.bury(dead)
        if (count > 0) log.info({ worker: dead, queues: count }, 'adopted the queues of a dead worker')
      } finally {
        await this.parts.lease.release(task)
      }
    }
  }

  private async keepFeed(): Promise<void> {
    const { clock, timing, config } = this.deps
    const now = clock.now()
    if (now - this.parts.publisher.tickedAt >= Math.min(timing.tickMs, config.heartbeatSeconds * 5000))
      this.parts.publisher.tick()
    if (now - this.trimmedAt < timing.trimMs) return
    this.trimmedAt = now
    await this.trim()
  }

  private async trim(): Promise<void> {
    const { redis, keys, config } = this.deps
    const { last } = await this.parts.feed.ends()
    if (last === 0) return
    // Age counts from the newest entry. The stream is trimmed by whole nodes (`~`): exact trimming would cost more without a benefit.
    const oldest = Math.max(0, last - config.feedRetention * 1_000_000)
    await redis.command('XTRIM', keys.feed, 'MINID', '~', `${oldest}-0`)
    const bytes = Number(await redis.command('MEMORY', 'USAGE', keys.feed, 'SAMPLES', 8))
    if (bytes > config.feedMaxBytes) {
      const length = Number(await redis.command('XLEN', keys.feed))
      await redis.command('XTRIM', keys.feed, 'MAXLEN', '~', Math.floor((length * config.feedMaxBytes * 0.9) / bytes))
    }
    if (await this.parts.outbox.isEmpty(seenMs / 4)) {
      await redis.command('ZREMRANGEBYSCORE', keys.seen, '-inf', last - seenMs * 1000)
    }
  }
}
