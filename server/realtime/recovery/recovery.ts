import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Feed, OutboxCleanup, RestartDetection } from '../feed/index.js'
import type { Lease } from '../ownership/index.js'
import type { QueueLog } from '../queues/index.js'
import type { OutboxSweep } from './outbox-sweep.js'

interface RecoveryParts {
  readonly feed: Feed
  readonly restarts: RestartDetection
  readonly lease: Lease
  readonly queueLog: QueueLog
  readonly outboxSweep: OutboxSweep
  readonly cleanup: OutboxCleanup
}

/** Detects that Redis has restarted or has lost this worker's keys, and restores what this worker's memory and the outbox hold. */
export class Recovery {
  /** Oldest entry id in the feed at the last lease renewal. */
  oldest = 0
  private underWay: Promise<void> | null = null

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: RecoveryParts,
  ) {
    parts.restarts.restarted.on(() => this.onRestart())
    parts.queueLog.keysMissing.on(() => this.start())
  }

  async renew(): Promise<void> {
    try {
      // Before the renewal: an answer of a promoted replica must not count as one of the Redis process that got the entries.
      await this.parts.restarts.check()
      const sentAt = this.deps.clock.now()
      if (await this.parts.lease.renew(this.parts.queueLog.checkpoint)) this.parts.cleanup.sawAlive(sentAt)
      else this.start()
      this.oldest = (await this.parts.feed.ends()).first
    } catch (error) {
      this.deps.counts.isRedisFailing = true
      logFailure(this.deps, error, 'the lease could not be renewed')
    }
  }

  /** Redis has no keys of this worker: it lost data, or the lease expired and other workers adopted the queues. */
  private start(): void {
    this.underWay ??= (this.parts.lease.hasLapsed() ? this.rejoin() : this.check()).finally(() => {
      this.underWay = null
    })
  }

  /** Runs after lost entries are restored to the feed and before a new event is published. */
  private async onRestart(): Promise<void> {
    try {
      await this.parts.outboxSweep.republish()
    } catch (error) {
      // The next outbox sweep publishes the rows.
      logFailure(this.deps, error, 'the outbox could not be read')
    }
    this.parts.queueLog.recheck()
    await this.parts.lease.take(this.parts.queueLog.checkpoint)
  }

  /** Redis has lost nothing, so nothing is restored; but other workers may have adopted this worker's queues. */
  private async rejoin(): Promise<void> {
    this.deps.log.info('the lease expired during a pause: checking whether other workers adopted queues')
    try {
      await this.parts.lease.take(this.parts.queueLog.checkpoint)
      this.parts.queueLog.verify()
    } catch (error) {
      logFailure(this.deps, error, 'the queues could not be checked')
    }
  }

  private async check(): Promise<void> {
    try {
      this.parts.restarts.suspectLoss()
      await this.parts.restarts.ready()
    } catch (error) {
      logFailure(this.deps, error, 'Redis could not be checked')
    }
  }
}
