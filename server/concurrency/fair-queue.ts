import { LRUCache } from 'lru-cache'

/** What waits, and the account for which it is done; null: all callers without an account. */
interface Waiting {
  readonly account: number | null
}

// Half of what an account used counts after this time.
const halfLifeMs = 60_000
// Accounts whose use is remembered; one takes some 100 bytes. A forgotten one counts as unused.
const mostAccounts = 10_000

/** How much of a resource each account used lately, in ms. */
export class RecentUse {
  private readonly uses = new LRUCache<string, { ms: number; at: number }>({ max: mostAccounts })

  constructor(private readonly now: () => number = () => performance.now()) {}

  of(account: number | null): number {
    const use = this.uses.get(String(account))
    return use ? use.ms * 0.5 ** ((this.now() - use.at) / halfLifeMs) : 0
  }

  /** The accounts that used any. */
  get all(): ReadonlyMap<number, number> {
    const accounts = [...this.uses.keys()].filter(key => key !== String(null)).map(Number)
    return new Map(accounts.map(account => [account, this.of(account)]))
  }

  add(account: number | null, ms: number): void {
    this.uses.set(String(account), { ms: this.of(account) + ms, at: this.now() })
  }
}

/**
 * A queue with fair turns: next is the account that used least lately, and of its jobs the oldest. So an account with many jobs delays another
 * one by the job that is running, and accounts that use much have equal shares.
 */
export class FairQueue<Job extends Waiting> {
  private readonly lines = new Map<number | null, Job[]>()

  constructor(private readonly use: RecentUse) {}

  get size(): number {
    let size = 0
    for (const line of this.lines.values()) size += line.length
    return size
  }

  sizeOf(account: number | null): number {
    return this.lines.get(account)?.length ?? 0
  }

  add(job: Job): void {
    const line = this.lines.get(job.account)
    if (line) line.push(job)
    else this.lines.set(job.account, [job])
  }

  /** Takes a job out of the queue. False: it does not wait. */
  remove(job: Job): boolean {
    const line = this.lines.get(job.account) ?? []
    const index = line.indexOf(job)
    if (index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) this.lines.delete(job.account)
    return true
  }

  /** Takes the job whose turn it is. */
  take(): Job | undefined {
    const [job] = this.inOrder()
    if (job) this.remove(job)
    return job
  }

  /** All jobs, as if no account used anything meanwhile. The sort is stable: equal accounts keep the order in which they came. */
  inOrder(): Job[] {
    return [...this.lines.entries()]
      .map(([account, line]) => ({ line, used: this.use.of(account) }))
      .sort((one, other) => one.used - other.used)
      .flatMap(({ line }) => line)
  }
}
