import { setTimeout as sleep } from 'node:timers/promises'
import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { Signal } from '../signal.js'

/** A request to all other workers. */
interface Demand {
  /** The number of workers that were asked; undefined: Redis has not answered yet. */
  asked?: number
  /** The workers that have done it. */
  readonly answered: Set<string>
  readonly done: (isComplete: boolean) => void
}

/**
 * The messages by which workers give up their directory leases, and by which they refuse accounts and keys that were revoked
 * (docs/consistency.md#directory-leases).
 */
export class DirectoryRecall {
  private readonly running = new Map<number, Demand>()
  private count = 0
  /** Another worker is about to commit a change: emitted before that worker gets its answer. */
  readonly received = new Signal()
  /** Refuses what these users had; set by the owner of the engine. */
  revoke: (userIds: readonly number[]) => Promise<void> = async () => {}

  constructor(private readonly deps: EngineDeps) {}

  /**
   * Asks all other workers for their leases. Resolves true as soon as all have answered, and false if one has not within `waitMs`. Does not
   * reject.
   */
  recall(waitMs: number): Promise<boolean> {
    return this.demand(waitMs, id => ({ recall: [this.deps.worker, id] }))
  }

  /** Has all other workers refuse what these users had. Resolves as `recall`. */
  revokeElsewhere(userIds: readonly number[], waitMs: number): Promise<boolean> {
    return this.demand(waitMs, id => ({ revoke: [this.deps.worker, id, userIds] }))
  }

  private async demand(waitMs: number, messageOf: (id: number) => object): Promise<boolean> {
    const id = ++this.count
    const waiting = new AbortController()
    const answers = new Promise<boolean>(done => {
      this.running.set(id, { answered: new Set(), done })
    })
    this.ask(id, messageOf(id)).catch(error =>
      logFailure(this.deps, error, 'the other workers could not be asked before or after a change of the directory'),
    )
    // Only the end of the wait aborts it.
    const isLate = sleep(waitMs, false, { signal: waiting.signal }).catch(() => false)
    try {
      return await Promise.race([answers, isLate])
    } finally {
      waiting.abort()
      this.running.delete(id)
    }
  }

  private async ask(id: number, message: object): Promise<void> {
    const { functions, keys, worker } = this.deps
    const channels = [worker, keys.channel(''), JSON.stringify(message)]
    const asked = await functions.call('recall', [keys.run, keys.checkpoints], channels)
    const demand = this.running.get(id)
    if (!demand || asked === -1) return
    demand.asked = asked as number
    this.check(demand)
  }

  /** Another worker asks for the lease. */
  async give([asker, id]: readonly [asker: string, id: number]): Promise<void> {
    this.received.emit()
    await this.answer(asker, id)
  }

  /** Another worker has revoked what these users had. */
  async obey([asker, id, userIds]: readonly [asker: string, id: number, userIds: readonly number[]]): Promise<void> {
    await this.revoke(userIds)
    await this.answer(asker, id)
  }

  private async answer(asker: string, id: number): Promise<void> {
    const { redis, keys, worker } = this.deps
    await redis.command('PUBLISH', keys.channel(asker), JSON.stringify({ recalled: [worker, id] }))
  }

  /** Another worker has done what this one asked for. */
  answered([worker, id]: readonly [worker: string, id: number]): void {
    const demand = this.running.get(id)
    if (!demand) return
    demand.answered.add(worker)
    this.check(demand)
  }

  private check(demand: Demand): void {
    if (demand.asked !== undefined && demand.answered.size >= demand.asked) demand.done(true)
  }
}
