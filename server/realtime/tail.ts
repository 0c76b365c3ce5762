import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../redis/client.js'
import type { Entry } from './entry.js'
import type { Feed, StreamEntry } from './feed.js'
import type { Parts } from './parts.js'

// A read that is delivered to 10,000 sockets must not hold up the process for long; requests come in between two reads.
const pageSize = 64
const blockMilliseconds = 5000
const firstPause = 20
const longestPause = 1000

/** Reads the feed as it grows, from a remembered id, and hands on what comes, several entries at a time. */
export class Tail {
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #connection: Connection
  readonly #deliver: (entries: readonly Entry[]) => Promise<void> | undefined
  #cursor: number
  #isStopped = false

  constructor(
    parts: Parts,
    feed: Feed,
    start: number,
    deliver: (entries: readonly Entry[]) => Promise<void> | undefined,
  ) {
    this.#parts = parts
    this.#feed = feed
    this.#cursor = start
    this.#deliver = deliver
    this.#connection = parts.redis.blocking()
    void this.#read()
  }

  stop(): void {
    this.#isStopped = true
    this.#connection.close()
  }

  async #read(): Promise<void> {
    let pause = firstPause
    while (!this.#isStopped) {
      try {
        const entries = await this.#next()
        pause = firstPause
        this.#note(entries)
        if (this.#isStopped || entries.length === 0) continue
        this.#cursor = (entries.at(-1) as Entry).id
        const rest = this.#deliver(entries)
        if (rest) await rest
      } catch (error) {
        if (this.#isStopped) return
        this.#parts.counts.isTailFailing = true
        this.#parts.log.debug({ error: String(error) }, 'the feed cannot be read: again')
        await sleep(pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  #note(entries: readonly Entry[]): void {
    const { counts } = this.#parts
    counts.tailHeardAt = performance.now()
    counts.isTailFailing = false
    counts.entries += entries.length
    const newest = entries.at(-1)
    counts.feedLag = newest ? counts.clock.now() - newest.id / 1000 : 0
  }

  async #next(): Promise<Entry[]> {
    const { keys } = this.#parts
    const reply = (await this.#connection.command(
      'XREAD',
      'COUNT',
      pageSize,
      'BLOCK',
      blockMilliseconds,
      'STREAMS',
      keys.feed,
      `${this.#cursor}-0`,
    )) as [name: Buffer, entries: StreamEntry[]][] | null
    return reply?.[0]?.[1].map(entry => this.#feed.decode(entry)) ?? []
  }
}
