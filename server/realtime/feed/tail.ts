import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, RawEntry } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import { type Feed, readMessage } from './feed.js'

// Entries per page of delivery. Requests run between two pages, so that delivery to 10,000 sockets does not block them for long.
const pageSize = 64
// Entries and bytes kept in memory while a page is delivered; the tail reads further entries from the feed later.
const maxReceived = 1024
const maxReceivedBytes = 4 * 1024 * 1024
// How long to wait for a missing entry: the notification of another worker's append can arrive after the reply to a later own append.
const gapMs = 5
const maxEarly = 256
const firstPauseMs = 20
const longestPauseMs = 1000

/** What the tail passes entries to (delivery/delivery.ts). */
export interface EntrySink {
  /** Takes a page of entries; returns a promise if the tail must wait before it passes the next page. */
  deliver(entries: readonly Entry[]): Promise<void> | undefined
}

/**
 * Follows the feed and passes on its entries in order, without a gap, in pages. Usually it reads nothing: the reply to an append
 * contains the ids of this worker's entries, and Pub/Sub delivers those of other workers. Each entry names the one before it, so
 * the tail detects a missing entry and reads it from the stream.
 */
export class Tail {
  /** Entries to deliver next, without a gap. */
  private received: Entry[] = []
  private receivedBytes = 0
  /** Id of the last of them, or of the last delivered entry. */
  private end: number
  /** Entries that arrived before an earlier entry, by the id of the entry that they follow. */
  private readonly early = new Map<number, RawEntry>()
  /** Highest id that is known to be in the feed. */
  private newest: number
  private gapTimer: NodeJS.Timeout | undefined
  /** The feed may hold entries after `#end` that Pub/Sub will not deliver. */
  private mustRead = false
  private isRunning = false
  private isStopped = true

  constructor(
    private readonly deps: Pick<EngineDeps, 'counts' | 'log'>,
    private readonly feed: Pick<Feed, 'read' | 'after'>,
    end: number,
    private readonly sink: EntrySink,
  ) {
    this.end = this.newest = end
  }

  start(): void {
    this.isStopped = false
    this.look()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.gapTimer)
  }

  /** Reads the feed: Pub/Sub may have lost notifications while the subscription was interrupted, or Redis has restarted. */
  look(): void {
    this.mustRead = true
    this.go()
  }

  /** Receives new entries, ascending; `newest`: the highest id that is known to be in the feed. */
  receive(entries: readonly RawEntry[], newest: number): void {
    if (this.isStopped) return
    for (const raw of entries) {
      if (raw.id <= this.end) continue
      // I1: an entry is accepted only directly after the one before it; a gap is read from the feed.
      if (raw.previous === this.end && !this.isFull) this.take(raw)
      else if (this.early.size < maxEarly) this.early.set(raw.previous, raw)
    }
    this.newest = Math.max(this.newest, newest)
    this.closeGap()
    this.go()
  }

  /** Receives the notification of another worker's append (publish.lua). */
  receiveMessage(message: Buffer): void {
    let entries: RawEntry[]
    try {
      entries = readMessage(message)
    } catch (error) {
      this.deps.log.warn({ error: String(error) }, 'a notification of another worker cannot be read')
      this.look()
      return
    }
    this.receive(entries, entries.at(-1)?.id ?? 0)
  }

  private take(raw: RawEntry): void {
    this.received.push(this.feed.read(raw))
    this.receivedBytes += raw.bytes.length
    this.end = raw.id
  }

  /** Appends entries that arrived early; if an entry is still missing, reads the feed after `gapMs`. */
  private closeGap(): void {
    if (this.early.size > 0) {
      for (let next = this.early.get(this.end); next && !this.isFull; next = this.early.get(this.end)) this.take(next)
      for (const [previous, { id }] of this.early) if (id <= this.end) this.early.delete(previous)
    }
    if (this.newest <= this.end || this.gapTimer) return
    this.gapTimer = setTimeout(() => {
      this.gapTimer = undefined
      if (this.newest > this.end) this.look()
    }, gapMs)
  }

  private get isFull(): boolean {
    return this.received.length >= maxReceived || this.receivedBytes >= maxReceivedBytes
  }

  /** Starts delivery in a later turn of the event loop, so that the publisher sends its next batch first. */
  private go(): void {
    if (this.isRunning || this.isStopped) return
    this.isRunning = true
    setImmediate(() => void this.work())
  }

  private async work(): Promise<void> {
    let pause = firstPauseMs
    while (!this.isStopped && (this.received.length > 0 || this.mustRead)) {
      try {
        if (this.received.length === 0) await this.read()
        if (this.isStopped) break
        const entries = this.nextPage()
        this.note(entries)
        const rest = entries.length > 0 ? this.sink.deliver(entries) : undefined
        if (rest) await rest
        pause = firstPauseMs
      } catch (error) {
        this.deps.counts.isTailFailing = true
        this.deps.log.debug({ error: String(error) }, 'the feed cannot be read: retrying')
        await sleep(pause)
        pause = Math.min(pause * 2, longestPauseMs)
      }
    }
    this.isRunning = false
  }

  private nextPage(): Entry[] {
    const page = this.received.splice(0, pageSize)
    for (const { bytes } of page) this.receivedBytes -= bytes.length
    return page
  }

  /** Reads a page from the feed into `#received`, which is empty at this point. */
  private async read(): Promise<void> {
    this.mustRead = false
    let page: Entry[]
    try {
      page = await this.feed.after(this.end, pageSize)
    } catch (error) {
      this.mustRead = true
      throw error
    }
    if (page.length === pageSize) this.mustRead = true
    // Entries that arrived during the read follow the same id as the page does, so the page can repeat them.
    const last = page.at(-1)?.id ?? 0
    this.received = [...page, ...this.received.filter(({ id }) => id > last)]
    this.receivedBytes = this.received.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.end = Math.max(this.end, last)
    // The feed holds no later entry, so do not wait for one: entries that were announced may be lost or trimmed.
    if (page.length === 0 && this.received.length === 0) {
      this.early.clear()
      this.newest = this.end
    }
    this.closeGap()
  }

  private note(entries: readonly Entry[]): void {
    const { counts } = this.deps
    counts.tailAnsweredAt = performance.now()
    counts.isTailFailing = false
    counts.entries += entries.length
    const newest = entries.at(-1)
    counts.feedLag = newest ? counts.clock.now() - newest.id / 1000 : 0
  }
}
