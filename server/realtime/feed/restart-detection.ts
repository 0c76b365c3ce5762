import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineDeps } from '../engine-deps.js'
import { AwaitedSignal, Signal } from '../signal.js'
import type { EntryCache } from './entry-cache.js'
import type { Feed } from './feed.js'

// Entries per call, so that one call blocks Redis for well under 1 ms.
const chunk = 128

/**
 * Redis restart detection: a restart or a failover can lose the writes of about the last second.
 *
 * For the feed it asks whether this is still the Redis process (the run) from which the worker has read entries. If not, every worker
 * restores the entries that it has read, under their ids, before a new event is published (see run.lua); entries that no worker had
 * read are still in the outbox. For the queue logs it compares the process that answers for a group of queues with the former one.
 */
export class RestartDetection {
  private known: string | null = null
  private last: string | null = null
  /** When this worker last detected a new run, in ms. */
  private newAt = Number.NEGATIVE_INFINITY
  private checking: Promise<string> | null = null
  /** The Redis process that last answered for each group of queues; a group is a cluster slot, or all queues without a cluster. */
  private readonly processes = new Map<string, string>()
  /** Redis has a new run: emitted after this worker has restored entries and before it publishes, which waits for the listeners. */
  readonly restarted = new AwaitedSignal()
  /** Another process than before answered for a group of queues: their logs may lack the newest references. */
  readonly logsShaken = new Signal()

  constructor(
    private readonly deps: EngineDeps,
    private readonly feed: Feed,
    private readonly cache: EntryCache,
  ) {}

  /** Redis may have restarted: check again before the next publish. */
  suspect(): void {
    this.known = null
  }

  /** Redis has lost keys of this worker, even if its run id is the known one: the next check restores entries in any case. */
  suspectLoss(): void {
    this.known = this.last = null
  }

  /** Checks the run; a worker that does not publish detects a failover only here. */
  async check(): Promise<void> {
    await this.checked()
  }

  /** Checks the run; true if a new run was detected within 2 × `publishHoldMs` ms, so that other workers may still be restoring entries. */
  async isSettling(): Promise<boolean> {
    await this.checked()
    const { clock, timing } = this.deps
    return clock.now() - this.newAt < 2 * timing.publishHoldMs
  }

  /** Notes the process that answered a command for this queue. */
  answered(queueId: string, process: Buffer): void {
    const { redis, keys } = this.deps
    const group = redis.isCluster ? keys.groupOf(queueId) : ''
    const name = process.toString()
    const before = this.processes.get(group)
    this.processes.set(group, name)
    if (before !== undefined && before !== name) this.logsShaken.emit()
  }

  /**
   * Waits until the run is known and lost entries are restored.
   * @throws if Redis is unavailable.
   */
  ready(): Promise<string> {
    if (this.known) return Promise.resolve(this.known)
    return this.checked()
  }

  /** The first check of a new worker. If it is alone, no other worker can restore entries, so publishing need not wait. */
  async start(isAlone: boolean): Promise<void> {
    const { id } = await this.ask(isAlone ? 0 : this.deps.timing.publishHoldMs)
    this.known = this.last = id
  }

  private checked(): Promise<string> {
    this.checking ??= this.checkRun().finally(() => {
      this.checking = null
    })
    return this.checking
  }

  private async checkRun(): Promise<string> {
    const { id, isKnown } = await this.ask(this.deps.timing.publishHoldMs)
    const isNew = id !== this.last || !isKnown
    if (isNew) {
      this.newAt = this.deps.clock.now()
      this.deps.log.warn({ run: id }, 'Redis restarted or failed over: checking which entries it lost')
      await this.restore()
      await this.restarted.emit()
    }
    this.known = this.last = id
    return id
  }

  private async ask(hold: number): Promise<{ id: string; isKnown: boolean }> {
    const { functions, keys } = this.deps
    const [id, known] = (await functions.call('run', [keys.run], [hold])) as [Buffer, number]
    return { id: id.toString(), isKnown: known === 1 }
  }

  private async restore(): Promise<void> {
    const { last } = await this.feed.ends()
    // I1: entries that Redis has lost are restored under their ids before a new event is published.
    const lost = [...this.cache.between(last, this.cache.newest)]
    let count = 0
    for (let i = 0; i < lost.length; i += chunk) {
      count += await this.feed.restore(lost.slice(i, i + chunk))
      await sleep(0)
    }
    if (count > 0) this.deps.log.warn({ count }, 'restored entries that Redis had lost')
  }
}
