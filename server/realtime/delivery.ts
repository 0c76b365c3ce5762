import type { Encoded } from './encodings.js'
import type { Entry } from './entry.js'
import { KnownRows } from './known-rows.js'
import type { Parts } from './parts.js'
import type { Pump } from './pump.js'
import { Push } from './push.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { HeardEntry } from './realtime.js'
import type { Recent } from './recent.js'
import type { SharedOptions } from './shared-options.js'

export type EntryListener = (entry: HeardEntry) => void

// Outbox ids that this worker has delivered: far more than can be published twice within a minute.
const maxDelivered = 65_536

/** Gives each entry that the tail reads to the queues of this worker. */
export class Delivery {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #recent: Recent
  readonly #pump: Pump
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #listeners: EntryListener[] = []
  readonly #delivered = new Map<number, number>()
  /** Rows of the outbox whose events are in the feed, or will be by this worker. */
  readonly knownRows = new KnownRows(outboxId => this.#delivered.has(outboxId))
  readonly #push: Push
  // Of the entry that is being routed.
  #isPushed = false
  #mayBeShown = true
  #mayBeBefore = true
  #plainOptions: SharedOptions | null = null
  #plain: Encoded | null = null
  #tooLong: Queue[] = []
  /** Entries of this turn that live sockets get. */
  readonly #pushed: number[] = []
  #waiting: { id: number; resolve: () => void }[] = []

  constructor(parts: Parts, queues: Queues, recent: Recent, pump: Pump, lose: (queue: Queue, error: Error) => void) {
    this.#parts = parts
    this.#queues = queues
    this.#recent = recent
    this.#pump = pump
    this.#push = new Push(pump)
    this.#lose = lose
    for (const { outboxId, id } of recent.between(0, recent.newest)) if (outboxId > 0) this.#delivered.set(outboxId, id)
  }

  onEntry(listener: EntryListener): void {
    this.#listeners.push(listener)
  }

  /** Whether this worker has seen the event of that outbox row in the feed. */
  hasDelivered(outboxId: number): boolean {
    return this.#delivered.has(outboxId)
  }

  /** Resolves when this worker has read the feed up to that id. */
  reached(id: number): Promise<void> {
    if (id <= this.#recent.newest) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ id, resolve }))
  }

  /** A promise while there are sockets left to write to: what comes next waits for it, so that more goes into one frame. */
  deliver(entries: readonly Entry[]): Promise<void> | undefined {
    for (const entry of entries) {
      // I1: after a gap that the feed cannot fill, queues that may lack an entry are dropped, and their clients are told.
      if (entry.previous > this.#recent.newest) this.#missed(entry)
      this.#recent.add(entry)
      // I1: an entry that was published twice is delivered once.
      if (entry.outboxId > 0 && this.#isRepeated(entry)) continue
      this.#tell(entry)
      // Names with an underscore are for servers alone.
      if (entry.def && !entry.name.startsWith('_')) this.#route(entry)
    }
    if (this.#tooLong.length > 0) this.#loseTooLong()
    if (this.#waiting.length > 0) this.#tellReached()
    const rest = this.#push.flush()
    if (this.#pushed.length === 0) return rest
    if (rest) return rest.then(() => this.#notePushed())
    this.#notePushed()
    return undefined
  }

  /** All live sockets have what came. */
  #notePushed(): void {
    const { counts } = this.#parts
    const now = counts.clock.now()
    for (const id of this.#pushed) counts.toSockets.observe(counts.secondsSince(id, now))
    this.#pushed.length = 0
  }

  #tellReached(): void {
    for (const { id, resolve } of this.#waiting) if (id <= this.#recent.newest) resolve()
    this.#waiting = this.#waiting.filter(({ id }) => id > this.#recent.newest)
  }

  /** Entries between the last one and this one were trimmed before we read them: queues that may lack some are given up. */
  #missed(entry: Entry): void {
    this.#parts.log.error({ read: this.#recent.newest, next: entry.id }, 'this worker fell behind the feed')
    for (const queue of [...this.#queues.byId.values()]) this.#lose(queue, new Error('missed entries'))
  }

  /** A row may be published twice when Redis lost the first time; its queues have it under the first id. */
  #isRepeated({ outboxId, id }: Entry): boolean {
    const before = this.#delivered.get(outboxId)
    if (before !== undefined) {
      this.#parts.log.warn({ outboxId, id, before }, 'published again: not delivered again')
      return true
    }
    this.#delivered.set(outboxId, id)
    this.knownRows.saw(outboxId)
    if (this.#delivered.size > maxDelivered) {
      for (const oldest of this.#delivered.keys()) {
        this.#delivered.delete(oldest)
        break
      }
    }
    return false
  }

  #tell(entry: Entry): void {
    for (const listener of this.#listeners) {
      try {
        listener(entry)
      } catch (error) {
        this.#parts.log.error({ error, name: entry.name }, 'a listener of the feed failed')
      }
    }
  }

  #route(entry: Entry): void {
    const queues = this.#queues
    this.#isPushed = false
    this.#plainOptions = null
    this.#mayBeShown = entry.xid !== 0 && entry.xid < queues.shownBelow
    this.#mayBeBefore = entry.id <= queues.highestFrom
    // I2: only queues of the audience are looked at.
    if (entry.audience.size <= queues.byId.size) {
      const ids = entry.audience.ids()
      for (let i = 0; i < ids.length; i++) {
        for (let queue = queues.firstOf(ids[i] as number); queue !== null; queue = queue.next) this.#offer(entry, queue)
      }
    } else {
      for (const queue of queues.byId.values()) if (entry.audience.has(queue.userId)) this.#offer(entry, queue)
    }
    if (entry.publicReaders.size > 0) this.#routeToPublicReaders(entry)
    if (this.#isPushed) this.#pushed.push(entry.id)
  }

  #routeToPublicReaders(entry: Entry): void {
    for (const queue of this.#queues.allPublic) {
      if (entry.publicReaders.has(queue.userId) && !entry.audience.has(queue.userId)) this.#offer(entry, queue)
    }
  }

  // Runs for each recipient of each event. Nothing is allocated here, and little is looked at: with thousands of queues
  // most of the time is waiting for memory.
  #offer(entry: Entry, queue: Queue): void {
    if (this.#mayBeBefore && entry.id <= queue.from) return
    const encoded = this.#encodedFor(entry, queue)
    if (encoded === null) return
    queue.append(entry.id)
    if (!queue.isDirty) this.#queues.markDirty(queue)
    // I5: a queue whose client acknowledges nothing has a bound.
    if (queue.length > this.#parts.config.queueMaxEvents) this.#tooLong.push(queue)
    const { reader } = queue
    if (reader === null) return
    if (reader.kind === 'poll') this.#pump.wakeFor(queue, entry.id)
    else if (reader.isLive) {
      this.#isPushed = true
      this.#push.add(reader, encoded)
    }
  }

  #encodedFor(entry: Entry, queue: Queue): Encoded | null {
    if (this.#mayBeShown && queue.shown?.has(entry.xid)) return null
    if (entry.local !== null || isNamed(entry, queue.userId)) return queue.reads(entry)
    // What one queue reads, all do that were registered alike; unless a narrow looks at who reads.
    if (queue.options === this.#plainOptions) return this.#plain
    const encoded = queue.reads(entry)
    if (queue.options.narrow === null) {
      this.#plainOptions = queue.options
      this.#plain = encoded
    }
    return encoded
  }

  #loseTooLong(): void {
    const tooLong = new Set(this.#tooLong)
    this.#tooLong = []
    for (const queue of tooLong) this.#lose(queue, new Error('too many unread events'))
  }
}

/** Whether something of the entry differs for this user. */
function isNamed({ perUser }: Entry, userId: number): boolean {
  for (let i = 0; i < perUser.length; i++) if (perUser[i]?.users.has(userId)) return true
  return false
}
