import { logFailure } from '../log-failure.js'
import type { Feed } from './feed.js'
import type { Lease } from './lease.js'
import type { OutboxSweep } from './outbox-sweep.js'
import type { Parts } from './parts.js'
import type { Published } from './published.js'
import type { QueueLog } from './queue-log.js'
import type { RedisRun } from './redis-run.js'

/** Notices that Redis does not know this worker any more, or is another one, and puts right what can be. */
export class Recovery {
  /** First id of the feed, as of the last renewal. */
  oldest = 0
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #run: RedisRun
  readonly #lease: Lease
  readonly #queueLog: QueueLog
  readonly #outboxSweep: OutboxSweep
  readonly #published: Published
  #underWay: Promise<void> | null = null

  constructor(
    parts: Parts,
    feed: Feed,
    run: RedisRun,
    lease: Lease,
    queueLog: QueueLog,
    outboxSweep: OutboxSweep,
    published: Published,
  ) {
    this.#parts = parts
    this.#feed = feed
    this.#run = run
    this.#lease = lease
    this.#queueLog = queueLog
    this.#outboxSweep = outboxSweep
    this.#published = published
  }

  async renew(): Promise<void> {
    try {
      // First: what a promoted replica answers must not count as a sign of life of the Redis that we published to.
      await this.#run.look()
      const sentAt = this.#parts.clock.now()
      if (await this.#lease.renew(this.#queueLog.checkpoint)) this.#published.sawAlive(sentAt)
      else this.start()
      this.oldest = (await this.#feed.ends()).first
    } catch (error) {
      this.#parts.counts.isRedisFailing = true
      logFailure(this.#parts, error, 'the lease could not be renewed')
    }
  }

  /** Redis does not have this worker any more: it lost data, or the lease ran out and other workers adopted the queues. */
  start(): void {
    this.#underWay ??= (this.#lease.hasLapsed() ? this.#rejoin() : this.#check()).finally(() => {
      this.#underWay = null
    })
  }

  /** When the feed is whole again, and before anything new is published. */
  async onNewRun(): Promise<void> {
    try {
      await this.#outboxSweep.republish()
    } catch (error) {
      // The sweep comes to it.
      logFailure(this.#parts, error, 'the outbox could not be read')
    }
    this.#queueLog.recheck()
    await this.#lease.take(this.#queueLog.checkpoint)
  }

  /** Redis has all that it had: nothing is put back, but each queue may have another owner. */
  async #rejoin(): Promise<void> {
    this.#parts.log.info('the lease ran out in a pause: looking whether other workers adopted the queues')
    try {
      await this.#lease.take(this.#queueLog.checkpoint)
      this.#queueLog.verify()
    } catch (error) {
      logFailure(this.#parts, error, 'the queues could not be checked')
    }
  }

  async #check(): Promise<void> {
    try {
      this.#run.suspectLoss()
      await this.#run.ready()
    } catch (error) {
      logFailure(this.#parts, error, 'Redis could not be checked')
    }
  }
}
