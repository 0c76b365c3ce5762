import { setTimeout as sleep } from 'node:timers/promises'
import type { Feed } from './feed.js'
import type { Parts } from './parts.js'
import type { Recent } from './recent.js'

const chunk = 128

/**
 * Whether the Redis we talk to still holds what we have read from it. A restart or a failover may have cost it its last
 * second; then every worker puts back the entries that it has read, under their ids, before anything new is published (see
 * run.lua), and what nobody had read yet is still in the outbox.
 */
export class RedisRun {
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #recent: Recent
  #known: string | null = null
  #last: string | null = null
  /** When a new run was found last. */
  #newAt = Number.NEGATIVE_INFINITY
  #checking: Promise<string> | null = null
  readonly #listeners: (() => Promise<void>)[] = []

  constructor(parts: Parts, feed: Feed, recent: Recent) {
    this.#parts = parts
    this.#feed = feed
    this.#recent = recent
  }

  /** The run, when nothing has shaken our belief in it. */
  get id(): string | null {
    return this.#known
  }

  /** Redis may have changed: look again before the next publish. */
  suspect(): void {
    this.#known = null
  }

  /** Redis has lost something of ours, also if its run is the one that we knew. */
  suspectLoss(): void {
    this.#known = this.#last = null
  }

  /** Asks whether it is still the one that we knew; a failover shows nowhere else to who does not publish. */
  async look(): Promise<void> {
    await this.#checked()
  }

  /** Looks, and tells whether a new run was found a moment ago: what it lacks other workers may still put back. */
  async isSettling(): Promise<boolean> {
    await this.#checked()
    const { clock, timing } = this.#parts
    return clock.now() - this.#newAt < 2 * timing.hold
  }

  /** Called when a new run was found, after the feed is whole and before anything is published. */
  onNew(listener: () => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /**
   * Waits until the run is known and what it lost is put back.
   * @throws when Redis cannot be asked.
   */
  ready(): Promise<string> {
    if (this.#known) return Promise.resolve(this.#known)
    return this.#checked()
  }

  /** The first look of a new worker: with nobody there who could put anything back, there is nothing to wait for. */
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
    // I1: entries that Redis has lost return under their ids, before anything new is published.
    const lost = [...this.#recent.between(last, this.#recent.newest)]
    let count = 0
    for (let i = 0; i < lost.length; i += chunk) {
      count += await this.#feed.restore(lost.slice(i, i + chunk))
      await sleep(0)
    }
    if (count > 0) this.#parts.log.warn({ count }, 'put back events that Redis had lost')
  }
}
