import type { Encoded } from '../encoding/encodings.js'
import type { Entry } from '../encoding/entry.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache } from '../feed/entry-cache.js'
import { KnownRows } from '../feed/known-rows.js'
import type { Queue } from '../queues/queue.js'
import type { Queues } from '../queues/queues.js'
import type { SharedOptions } from '../queues/shared-options.js'
import type { HeardEntry } from '../realtime.js'
import { Broadcast } from './broadcast.js'
import type { CatchUp } from './catch-up.js'

export type EntryListener = (entry: HeardEntry) => void

// How many outbox ids of delivered entries this worker remembers: far more than are published twice within a minute.
const maxDelivered = 65_536

/** Appends each entry that the tail reads to the queues of its audience on this worker and broadcasts it to their live sockets. */
export class Delivery {
  readonly #deps: EngineDeps
  readonly #queues: Queues
  readonly #cache: EntryCache
  readonly #catchUp: CatchUp
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #listeners: EntryListener[] = []
  readonly #delivered = new Map<number, number>()
  /** Outbox rows whose events are in the feed or will be published by this worker. */
  readonly knownRows = new KnownRows(outboxId => this.#delivered.has(outboxId))
  readonly #broadcast: Broadcast
  // State of the entry that is being routed.
  #isPushed = false
  #mayBeShown = true
  #mayBeBefore = true
  #plainOptions: SharedOptions | null = null
  #plain: Encoded | null = null
  #tooLong: Queue[] = []
  /** Ids of the entries of this batch that live sockets receive. */
  readonly #pushed: number[] = []
  #waiting: { id: number; resolve: () => void }[] = []

  constructor(
    deps: EngineDeps,
    queues: Queues,
    cache: EntryCache,
    catchUp: CatchUp,
    lose: (queue: Queue, error: Error) => void,
  ) {
    this.#deps = deps
    this.#queues = queues
    this.#cache = cache
    this.#catchUp = catchUp
    this.#broadcast = new Broadcast(catchUp)
    this.#lose = lose
    for (const { outboxId, id } of cache.between(0, cache.newest)) if (outboxId > 0) this.#delivered.set(outboxId, id)
  }

  onEntry(listener: EntryListener): void {
    this.#listeners.push(listener)
  }

  /** Whether this worker has read the event of this outbox row from the feed. */
  hasDelivered(outboxId: number): boolean {
    return this.#delivered.has(outboxId)
  }

  /** Resolves when this worker's tail has read the feed up to `id`. */
  reached(id: number): Promise<void> {
    if (id <= this.#cache.newest) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ id, resolve }))
  }

  /**
   * Returns a promise while sockets remain to be written; the tail waits for it before it delivers more, so that more entries go
   * into one frame.
   */
  deliver(entries: readonly Entry[]): Promise<void> | undefined {
    for (const entry of entries) {
      // I1: after a gap that the feed cannot fill, all queues are evicted because they may lack an entry; their clients register again.
      if (entry.previous > this.#cache.newest) this.#missed(entry)
      this.#cache.add(entry)
      // I1: an entry that was published twice is delivered once.
      if (entry.outboxId > 0 && this.#isRepeated(entry)) continue
      this.#tell(entry)
      // Events whose name begins with an underscore go to workers only.
      if (entry.def && !entry.name.startsWith('_')) this.#route(entry)
    }
    if (this.#tooLong.length > 0) this.#loseTooLong()
    if (this.#waiting.length > 0) this.#notifyReached()
    const rest = this.#broadcast.flush()
    if (this.#pushed.length === 0) return rest
    if (rest) return rest.then(() => this.#notePushed())
    this.#notePushed()
    return undefined
  }

  /** Records the delivery time after all live sockets have received the batch. */
  #notePushed(): void {
    const { counts } = this.#deps
    const now = counts.clock.now()
    for (const id of this.#pushed) counts.toSockets.observe(counts.secondsSince(id, now))
    this.#pushed.length = 0
  }

  #notifyReached(): void {
    for (const { id, resolve } of this.#waiting) if (id <= this.#cache.newest) resolve()
    this.#waiting = this.#waiting.filter(({ id }) => id > this.#cache.newest)
  }

  /** Entries before this one were trimmed before this worker read them: evict all queues, because each may lack one. */
  #missed(entry: Entry): void {
    this.#deps.log.error({ read: this.#cache.newest, next: entry.id }, 'this worker fell behind the feed')
    for (const queue of [...this.#queues.byId.values()]) this.#lose(queue, new Error('missed entries'))
  }

  /** A row can be published twice if Redis lost the first entry; this worker's queues hold the event under its first id. */
  #isRepeated({ outboxId, id }: Entry): boolean {
    const before = this.#delivered.get(outboxId)
    if (before !== undefined) {
      this.#deps.log.warn({ outboxId, id, before }, 'published again: not delivered again')
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
        this.#deps.log.error({ error, name: entry.name }, 'a listener of the feed failed')
      }
    }
  }

  #route(entry: Entry): void {
    const queues = this.#queues
    this.#isPushed = false
    this.#plainOptions = null
    this.#mayBeShown = entry.xid !== 0 && entry.xid < queues.shownBelow
    this.#mayBeBefore = entry.id <= queues.highestFrom
    // I2: only queues whose users are in the audience are considered.
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

  // Runs for each queue and event. It allocates nothing and reads few fields: with thousands of queues, cache misses dominate.
  #offer(entry: Entry, queue: Queue): void {
    if (this.#mayBeBefore && entry.id <= queue.from) return
    const encoded = this.#encodedFor(entry, queue)
    if (encoded === null) return
    queue.append(entry.id)
    if (!queue.isDirty) this.#queues.markDirty(queue)
    // I5: the queue of a client that acknowledges nothing is bounded.
    if (queue.length > this.#deps.config.queueMaxEvents) this.#tooLong.push(queue)
    const { reader } = queue
    if (reader === null) return
    if (reader.kind === 'poll') this.#catchUp.wakeFor(queue, entry.id)
    else if (reader.isLive) {
      this.#isPushed = true
      this.#broadcast.add(reader, encoded)
    }
  }

  #encodedFor(entry: Entry, queue: Queue): Encoded | null {
    if (this.#mayBeShown && queue.shown?.has(entry.xid)) return null
    if (entry.local !== null || isNamed(entry, queue.userId)) return queue.reads(entry)
    // Queues with the same options share an encoding, except under a narrow, whose result can depend on the user.
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

/** Whether the entry has extra fields for this user. */
function isNamed({ perUser }: Entry, userId: number): boolean {
  for (let i = 0; i < perUser.length; i++) if (perUser[i]?.users.has(userId)) return true
  return false
}
