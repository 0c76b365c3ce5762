import type { Entry } from './entry.js'
import type { Parts } from './parts.js'
import type { Pump } from './pump.js'
import { Push } from './push.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { HeardEntry } from './realtime.js'
import type { Recent } from './recent.js'

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
  readonly #push: Push
  #tooLong: Queue[] = []
  #waiting: { id: number; resolve: () => void }[] = []

  constructor(parts: Parts, queues: Queues, recent: Recent, pump: Pump, lose: (queue: Queue, error: Error) => void) {
    this.#parts = parts
    this.#queues = queues
    this.#recent = recent
    this.#pump = pump
    this.#push = new Push(pump)
    this.#lose = lose
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
      if (entry.previous > this.#recent.newest) this.#missed(entry)
      this.#recent.add(entry)
      if (entry.outboxId > 0 && this.#isRepeated(entry)) continue
      this.#tell(entry)
      // Names with an underscore are for servers alone.
      if (entry.def && !entry.name.startsWith('_')) this.#route(entry)
    }
    if (this.#tooLong.length > 0) this.#loseTooLong()
    if (this.#waiting.length > 0) this.#tellReached()
    return this.#push.flush()
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
    const { byUser } = this.#queues
    if (entry.audience.size <= byUser.size) {
      const ids = entry.audience.ids()
      for (let i = 0; i < ids.length; i++) {
        const own = byUser.get(ids[i] as number)
        if (own !== undefined) for (let j = 0; j < own.length; j++) this.#offer(entry, own[j] as Queue)
      }
    } else {
      for (const [userId, own] of byUser) {
        if (!entry.audience.has(userId)) continue
        for (let j = 0; j < own.length; j++) this.#offer(entry, own[j] as Queue)
      }
    }
    if (entry.publicReaders.size === 0) return
    for (const queue of this.#queues.allPublic) {
      if (entry.publicReaders.has(queue.userId) && !entry.audience.has(queue.userId)) this.#offer(entry, queue)
    }
  }

  // Runs for each recipient of each event: nothing is allocated here, nothing looked up that the queue does not hold.
  #offer(entry: Entry, queue: Queue): void {
    if (entry.id <= queue.from) return
    const encoded = queue.accepts(entry)
    if (encoded === null) return
    queue.append(entry.id)
    if (!queue.isDirty) this.#queues.markDirty(queue)
    if (queue.length > this.#parts.config.queueMaxEvents) this.#tooLong.push(queue)
    const { reader } = queue
    if (reader === null) return
    if (reader.kind === 'poll') this.#pump.wake(queue)
    else if (reader.isLive) this.#push.add(reader, encoded)
  }

  #loseTooLong(): void {
    const tooLong = new Set(this.#tooLong)
    this.#tooLong = []
    for (const queue of tooLong) this.#lose(queue, new Error('too many unread events'))
  }
}
