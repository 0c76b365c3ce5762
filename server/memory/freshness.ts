import { SharedQuestion } from '../concurrency/shared-question.js'
import { directoryLeaseMs } from '../store/driver/directory-lease.js'
import type { Versions } from '../store/organization/organization.js'

/**
 * How a worker knows that what it remembers is the newest: it asks PostgreSQL for the versions of the organization and of lists of channels, once
 * for all requests of a turn of the event loop. The answer is a lease: for `directoryLeaseMs` no transaction commits a new version unless
 * this worker has given up the lease (`recall`), so `fresh` asks nothing (docs/consistency.md#directory-leases).
 */
export class Freshness {
  /** The newest version of lists of channels, as current as the directory after `fresh`. */
  listsVersion = 0
  /** Until when the lease lasts, and when it was last given up, by the monotonic clock. */
  private leaseEndsAt = 0
  private recalledAt = 0
  private readonly question = new SharedQuestion<'versions', true>(() => this.ask())

  constructor(
    private readonly read: () => Promise<Versions>,
    /** Brings the directory to this version of the organization. */
    private readonly update: (version: number) => Promise<void>,
    /** Whether a recall of another worker would include this one for `forMs` ms. */
    private readonly isReachable: (forMs: number) => boolean,
  ) {}

  /**
   * Resolves when the directory shows every commit that preceded the call: at once while the worker has a lease. Otherwise the calls of one
   * turn of the event loop share a statement, and those that come while it runs share the next one.
   */
  async fresh(): Promise<void> {
    if (performance.now() >= this.leaseEndsAt) await this.question.of('versions')
  }

  /** Gives up the lease, because a transaction is about to commit a change. */
  recall(): void {
    this.recalledAt = performance.now()
    this.leaseEndsAt = 0
  }

  private async ask(): Promise<ReadonlyMap<'versions', true>> {
    const askedAt = performance.now()
    const { version, lists_version, is_settled } = await this.read()
    this.listsVersion = lists_version
    await this.update(version)
    const isLeased = is_settled && askedAt > this.recalledAt && this.isReachable(directoryLeaseMs)
    if (isLeased) this.leaseEndsAt = askedAt + directoryLeaseMs
    return new Map([['versions', true]])
  }
}
