import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed } from './feed.js'
import type { Parts } from './parts.js'
import type { Recent } from './recent.js'

const chunk = 128

/**
 * Redis restart detection: whether this is still the Redis process (the run) from which the worker has read entries. A restart or a
 * failover can lose the writes of about the last second. Every worker then restores the entries that it has read, under their ids,
 * before a new event is published (see run.lua); entries that no worker had read are still in the outbox.
 */
export class RedisRun {
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #recent: Recent
  #known: string | null = null
  #last: string | null = null
  /** When this worker last detected a new run, in ms. */
  #newAt = Number.NEGATIVE_INFINITY
  #checking: Promise<string> | null = null
  readonly #listeners: (() => Promise<void>)[] = []

  constructor(parts: Parts, feed: Feed, recent: Recent) {
    this.#parts = parts
    this.#feed = feed
    this.#recent = recent
  }

  /** The id of the run; null after `suspect`, until the next check. */
  get id(): string | null {
    return this.#known
  }

  /** Redis may have restarted: check again before the next publish. */
  suspect(): void {
    this.#known = null
  }

  /** Redis has lost keys of this worker, even if its run id is the known one: the next check restores entries in any case. */
  suspectLoss(): void {
    this.#known = this.#last = null
  }

  /** Checks the run; a worker that does not publish detects a failover only here. */
  async look(): Promise<void> {
    await this.#checked()
  }

  /** Checks the run; true if a new run was detected within 2 × `hold` ms, so that other workers may still be restoring entries. */
  async isSettling(): Promise<boolean> {
    await this.#checked()
    const { clock, timing } = this.#parts
    return clock.now() - this.#newAt < 2 * timing.hold
  }

  /** Adds a listener for new runs; it runs after this worker has restored entries and before it publishes. */
  onNew(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /**
   * Waits until the run is known and lost entries are restored.
   * @throws if Redis is unavailable.
   */
  ready(): Promise<string> {
    if (this.#known) return Promise.resolve(this.#known)
    return this.#checked()
  }

  /** The first check of a new worker. If it is alone, no other worker can restore entries, so publishing need not wait. */
  async start(isAlone: boolean): Promise<void> {
    const { id } = await this.#ask(isAlone ? 0 : this.#parts.timing.hold)
    this.#known = this.#last = id
  }

  #checked(): Promise<string> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async #check(): Promise<string> {
    const { id, isKnown } = await this.#ask(this.#parts.timing.hold)
    const isNew = id !== this.#last || !isKnown
    if (isNew) {
      this.#newAt = this.#parts.clock.now()
      this.#parts.log.warn({ run: id }, 'this Redis is not the one we knew: checking what it lost')
      await this.#restore()
      for (const listener of this.#listeners) await listener()
    }
    this.#known = this.#last = id
    return id
  }

  async #ask(hold: number): Promise<{ id: string; isKnown: boolean }> {
    const { functions, keys } = this.#parts
    const [id, known] = (await functions.call('run', [keys.run], [hold])) as [Buffer, number]
    return { id: id.toString(), isKnown: known === 1 }
  }

  async #restore(): Promise<void> {
    const { last } = await this.#feed.ends()
    // I1: entries that Redis has lost are restored under their ids before a new event is published.
    const lost = [...this.#recent.between(last, this.#recent.newest)]
    let count = 0
    for (let i = 0; i < lost.length; i += chunk) {
      count += await this.#feed.restore(lost.slice(i, i + chunk))
      await sleep(0)
    }
    if (count > 0) this.#parts.log.warn({ count }, 'put back events that Redis had lost')
  }
}
