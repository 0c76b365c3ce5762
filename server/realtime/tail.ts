import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, RawEntry } from './entry.js'
import { type Feed, readNews } from './feed.js'
import type { Parts } from './parts.js'

// What is delivered to 10,000 sockets must not hold up the process for long; requests come in between two pages.
const pageSize = 64
// What is kept while sockets are written to. Beyond this it is read from the feed in its turn.
const maxHeard = 1024
const maxHeardBytes = 4 * 1024 * 1024
// Two workers append in turn: what one is told of the other may come later than the answer to its own.
const gapMilliseconds = 5
const maxEarly = 256
const firstPause = 20
const longestPause = 1000

/**
 * Follows the feed and hands on what comes: in order, without a gap, several entries at a time. Nothing is read while all
 * goes well: what this worker appends it knows from the answer, what others append it is told. Each entry names the one
 * before it, so that a missing one shows at once, and is read.
 */
export class Tail {
  readonly #parts: Pick<Parts, 'counts' | 'log'>
  readonly #feed: Pick<Feed, 'read' | 'after'>
  readonly #deliver: (entries: readonly Entry[]) => Promise<void> | undefined
  /** What comes next, each directly behind the one before. */
  #heard: Entry[] = []
  #heardBytes = 0
  /** Id of the last of them, or of the last one that was handed on. */
  #end: number
  /** What came before something in front of it, by the id of what it follows. */
  readonly #early = new Map<number, RawEntry>()
  /** The feed is known to reach to there. */
  #newest: number
  #gapTimer: NodeJS.Timeout | undefined
  /** There may be something behind `#end` that we are not going to be told. */
  #mustRead = false
  #isRunning = false
  #isStopped = true

  constructor(
    parts: Pick<Parts, 'counts' | 'log'>,
    feed: Pick<Feed, 'read' | 'after'>,
    end: number,
    deliver: (entries: readonly Entry[]) => Promise<void> | undefined,
  ) {
    this.#parts = parts
    this.#feed = feed
    this.#end = this.#newest = end
    this.#deliver = deliver
  }

  start(): void {
    this.#isStopped = false
    this.look()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#gapTimer)
  }

  /** There may be something that nobody told us: the subscription was away, or another Redis answers. */
  look(): void {
    this.#mustRead = true
    this.#go()
  }

  /** Entries in ascending order; `newest`: the feed is known to reach to there. */
  hear(entries: readonly RawEntry[], newest: number): void {
    if (this.#isStopped) return
    for (const raw of entries) {
      if (raw.id <= this.#end) continue
      // I1: an entry is taken only directly behind the one before it; a gap is read from the feed.
      if (raw.previous === this.#end && !this.#isFull) this.#take(raw)
      else if (this.#early.size < maxEarly) this.#early.set(raw.previous, raw)
    }
    this.#newest = Math.max(this.#newest, newest)
    this.#closeGap()
    this.#go()
  }

  /** What another worker told of (publish.lua). */
  hearNews(message: Buffer): void {
    let entries: RawEntry[]
    try {
      entries = readNews(message)
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'what another worker told of the feed cannot be read')
      this.look()
      return
    }
    this.hear(entries, entries.at(-1)?.id ?? 0)
  }

  #take(raw: RawEntry): void {
    this.#heard.push(this.#feed.read(raw))
    this.#heardBytes += raw.bytes.length
    this.#end = raw.id
  }

  /** With what came early; what is still missing is waited for a moment. */
  #closeGap(): void {
    if (this.#early.size > 0) {
      for (let next = this.#early.get(this.#end); next && !this.#isFull; next = this.#early.get(this.#end))
        this.#take(next)
      for (const [previous, { id }] of this.#early) if (id <= this.#end) this.#early.delete(previous)
    }
    if (this.#newest <= this.#end || this.#gapTimer) return
    this.#gapTimer = setTimeout(() => {
      this.#gapTimer = undefined
      if (this.#newest > this.#end) this.look()
    }, gapMilliseconds)
  }

  get #isFull(): boolean {
    return this.#heard.length >= maxHeard || this.#heardBytes >= maxHeardBytes
  }

  /** Not at once: whoever published goes on publishing first. */
  #go(): void {
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    setImmediate(() => void this.#work())
  }

  async #work(): Promise<void> {
    let pause = firstPause
    while (!this.#isStopped && (this.#heard.length > 0 || this.#mustRead)) {
      try {
        if (this.#heard.length === 0) await this.#read()
        if (this.#isStopped) break
        const entries = this.#nextPage()
        this.#note(entries)
        const rest = entries.length > 0 ? this.#deliver(entries) : undefined
        if (rest) await rest
        pause = firstPause
      } catch (error) {
        this.#parts.counts.isTailFailing = true
        this.#parts.log.debug({ error: String(error) }, 'the feed cannot be followed: again')
        await sleep(pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
    this.#isRunning = false
  }

  #nextPage(): Entry[] {
    const page = this.#heard.splice(0, pageSize)
    for (const { bytes } of page) this.#heardBytes -= bytes.length
    return page
  }

  /** Into what is heard, of which there is nothing now. */
  async #read(): Promise<void> {
    this.#mustRead = false
    let page: Entry[]
    try {
      page = await this.#feed.after(this.#end, pageSize)
    } catch (error) {
      this.#mustRead = true
      throw error
    }
    if (page.length === pageSize) this.#mustRead = true
    // What was heard meanwhile begins where the page does.
    const last = page.at(-1)?.id ?? 0
    this.#heard = [...page, ...this.#heard.filter(({ id }) => id > last)]
    this.#heardBytes = this.#heard.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.#end = Math.max(this.#end, last)
    // What the feed does not have (any more) nobody waits for.
    if (page.length === 0 && this.#heard.length === 0) {
      this.#early.clear()
      this.#newest = this.#end
    }
    this.#closeGap()
  }

  #note(entries: readonly Entry[]): void {
    const { counts } = this.#parts
    counts.tailHeardAt = performance.now()
    counts.isTailFailing = false
    counts.entries += entries.length
    const newest = entries.at(-1)
    counts.feedLag = newest ? counts.clock.now() - newest.id / 1000 : 0
  }
}
