import { BusyHost } from './external-failure.js'

/** The network of a reader, or the sender of a message, that a worker fetches something for. */
export interface FetchOwner {
  readonly key: string
  /** Fetches for it at once. */
  readonly most: number
}

export interface PlaceLimits {
  /** Fetches of a worker at once. */
  readonly atOnce: number
  /** Fetches from one host at once; one owner has at most half of them. */
  readonly perHost: number
  /** Fetches that wait for a place. */
  readonly waiting: number
  readonly waitingPerOwner: number
}

interface Waiting {
  readonly host: string
  readonly begin: () => void
}

interface Owner {
  readonly most: number
  running: number
  /** Running fetches by host. */
  readonly hosts: Map<string, number>
  /** In the order in which they came. */
  readonly waiting: Set<Waiting>
}

/**
 * A semaphore for fetches with a bound in total, for each host, for each owner, and for each owner at one host. A fetch that waits holds no
 * place. Owners whose fetches wait get free places in turn, so that one with many fetches does not delay the others.
 */
export class FetchPlaces {
  private running = 0
  private waiting = 0
  private readonly _hosts = new Map<string, number>()
  /** The next turn is that of the first one. An owner without fetches is removed. */
  private readonly _owners = new Map<string, Owner>()

  constructor(private readonly limits: PlaceLimits) {}

  /** Hosts from which something is fetched. */
  get hosts(): number {
    return this._hosts.size
  }

  /** Owners with fetches, those that wait included. */
  get owners(): number {
    return this._owners.size
  }

  /**
   * Runs a fetch when it has a place, which it keeps until it ends.
   * @throws {BusyHost} if too many fetches wait, or the signal ends the wait
   */
  async run(owner: FetchOwner, host: string, signal: AbortSignal, fetch: () => Promise<void>): Promise<void> {
    await this.enter(owner, host, signal)
    try {
      await fetch()
    } finally {
      this.leave(owner.key, host)
    }
  }

  private enter(given: FetchOwner, host: string, signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) throw new BusyHost()
    const owner: Owner = this._owners.get(given.key) ?? {
      most: given.most,
      running: 0,
      hosts: new Map(),
      waiting: new Set(),
    }
    if (this.hasPlace(owner, host)) {
      this._owners.set(given.key, owner)
      this.take(owner, host)
      return undefined
    }
    const { waiting, waitingPerOwner } = this.limits
    if (this.waiting >= waiting || owner.waiting.size >= waitingPerOwner) throw new BusyHost()
    this._owners.set(given.key, owner)
    return this.wait(given.key, owner, host, signal)
  }

  private wait(key: string, owner: Owner, host: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', giveUp)
        owner.waiting.delete(waiting)
        this.waiting--
      }
      const giveUp = () => {
        end()
        this.forget(key, owner)
        reject(new BusyHost())
      }
      const begin = () => {
        end()
        this.take(owner, host)
        resolve()
      }
      const waiting = { host, begin }
      owner.waiting.add(waiting)
      this.waiting++
      signal.addEventListener('abort', giveUp)
    })
  }

  private leave(key: string, host: string): void {
    const owner = this._owners.get(key) as Owner
    this.running--
    owner.running--
    decrement(this._hosts, host)
    decrement(owner.hosts, host)
    this.forget(key, owner)
    while (this.beginNext());
  }

  /** Begins the first fetch that may run, by the turns of the owners. False: there is none. */
  private beginNext(): boolean {
    if (this.waiting === 0 || this.running >= this.limits.atOnce) return false
    for (const [key, owner] of this._owners) {
      for (const { host, begin } of owner.waiting) {
        if (!this.hasPlace(owner, host)) continue
        begin()
        this._owners.delete(key)
        this._owners.set(key, owner)
        return true
      }
    }
    return false
  }

  private hasPlace(owner: Owner, host: string): boolean {
    const { atOnce, perHost } = this.limits
    return (
      this.running < atOnce &&
      owner.running < owner.most &&
      (this._hosts.get(host) ?? 0) < perHost &&
      (owner.hosts.get(host) ?? 0) < Math.ceil(perHost / 2)
    )
  }

  private take(owner: Owner, host: string): void {
    this.running++
    owner.running++
    increment(this._hosts, host)
    increment(owner.hosts, host)
  }

  private forget(key: string, owner: Owner): void {
    if (owner.running + owner.waiting.size === 0) this._owners.delete(key)
  }
}

const increment = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
