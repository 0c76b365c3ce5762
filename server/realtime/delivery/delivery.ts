import type { Encoded, Entry } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache, EntrySink, KnownRows } from '../feed/index.js'
import type { Eviction, Queue, Queues, SharedOptions } from '../queues/index.js'
import type { ReceivedEntry } from '../realtime.js'
import { Broadcast } from './broadcast.js'
import type { CatchUp } from './catch-up.js'

type EntryListener = (entry: ReceivedEntry) => void

interface DeliveryParts {
  readonly queues: Queues
  readonly cache: EntryCache
  readonly catchUp: CatchUp
  readonly rows: KnownRows
  readonly eviction: Eviction
}

/** Appends each entry that the tail reads to the queues of its audience on this worker and broadcasts it to their live sockets. */
export class Delivery implements EntrySink {
  private readonly listeners: EntryListener[] = []
  private readonly broadcast: Broadcast
  // State of the entry that is being routed.
  private isPushed = false
  private mayBeShown = true
  private mayBeBefore = true
  private plainOptions: SharedOptions | null = null
  private plain: Encoded | null = null
  private tooLong: Queue[] = []
  /** Ids of the entries of this batch that live sockets receive. */
  private readonly pushed: number[] = []

  constructor(
    private readonly deps: EngineDeps,
    private readonly parts: DeliveryParts,
  ) {
    this.broadcast = new Broadcast(deps)
  }

  onEntry(listener: EntryListener): void {
    this.listeners.push(listener)
  }

  /**
   * Returns a promise while sockets remain to be written; the tail waits for it before it delivers more, so that more entries go
   * into one frame.
   */
  deliver(entries: readonly Entry[]): Promise<void> | undefined {
    for (const entry of entries) {
      // I1: after a gap that the feed cannot fill, all queues are evicted because they may lack an entry; their clients register again.
      if (entry.previous > this.parts.cache.newest) this.missed(entry)
      this.parts.cache.add(entry)
      // I1: an entry that was published twice is delivered once.
      if (entry.outboxId > 0 && this.isRepeated(entry)) continue
      this.notify(entry)
      // Events whose name begins with an underscore go to workers only.
      if (entry.def && !entry.name.startsWith('_')) this.route(entry)
      entry.forget()
    }
    if (this.tooLong.length > 0) this.evictTooLong()
    const rest = this.broadcast.flush()
    if (this.pushed.length === 0) return rest
    if (rest) return rest.then(() => this.notePushed())
    this.notePushed()
    return undefined
  }

  /** Records the delivery time after all live sockets have received the batch. */
  private notePushed(): void {
    const { counts } = this.deps
    const now = counts.clock.now()
    for (const id of this.pushed) counts.toSockets.observe(counts.secondsSince(id, now))
    this.pushed.length = 0
  }

  /** Entries before this one were trimmed before this worker read them: evict all queues, because each may lack one. */
  private missed(entry: Entry): void {
    this.deps.log.error({ read: this.parts.cache.newest, next: entry.id }, 'this worker fell behind the feed')
    for (const queue of [...this.parts.queues.byId.values()]) this.parts.eviction.evict(queue, 'missed entries')
  }

  /** If a row was published twice, this worker's queues already hold the event under the id of its first entry. */
  private isRepeated({ outboxId, id }: Entry): boolean {
    const before = this.parts.rows.read(outboxId, id)
    if (before === undefined) return false
    this.deps.log.warn({ outboxId, id, before }, 'an outbox row was published twice: its second entry was skipped')
    return true
  }

  private notify(entry: Entry): void {
    for (const listener of this.listeners) {
      try {
        listener(entry)
      } catch (error) {
        this.deps.log.error({ error, name: entry.name }, 'a listener of the feed failed')
      }
    }
  }

  private route(entry: Entry): void {
    const queues = this.parts.queues
    this.isPushed = false
    this.plainOptions = null
    this.mayBeShown = entry.xid !== 0 && entry.xid < queues.shownBelow
    this.mayBeBefore = entry.id <= queues.highestFrom
    // I2: only queues whose users are in the audience are considered.
    if (entry.audience.size <= queues.byId.size) {
      const ids = entry.audience.ids()
      for (let i = 0; i < ids.length; i++) {
        for (let queue = queues.firstOf(ids[i] as number); queue !== null; queue = queue.next) this.offer(entry, queue)
      }
    } else {
      for (const queue of queues.byId.values()) if (entry.audience.has(queue.userId)) this.offer(entry, queue)
    }
    if (entry.publicReaders.size > 0) this.routeToPublicReaders(entry)
    if (this.isPushed) this.pushed.push(entry.id)
  }

  private routeToPublicReaders(entry: Entry): void {
    for (const queue of this.parts.queues.allPublic) {
      if (entry.publicReaders.has(queue.userId) && !entry.audience.has(queue.userId)) this.offer(entry, queue)
    }
  }

  // Runs for each queue and event. It allocates nothing and reads few fields: with thousands of queues, cache misses dominate.
  private offer(entry: Entry, queue: Queue): void {
    if (this.mayBeBefore && entry.id <= queue.from) return
    const encoded = this.encodedFor(entry, queue)
    if (encoded === null) return
    queue.append(entry.id)
    if (!queue.isDirty) this.parts.queues.markDirty(queue)
    // I5: the queue of a client that acknowledges nothing is bounded.
    if (queue.length > this.deps.config.queueMaxEvents) this.tooLong.push(queue)
    const { consumer } = queue
    if (consumer === null) return
    if (consumer.kind === 'poll') this.parts.catchUp.wakeFor(queue, entry.id)
    else if (consumer.isLive) {
      this.isPushed = true
      this.broadcast.add(consumer, encoded)
    }
  }

  private encodedFor(entry: Entry, queue: Queue): Encoded | null {
    if (this.mayBeShown && queue.shown?.has(entry.xid)) return null
    if (entry.local !== null || isNamed(entry, queue.userId)) return queue.reads(entry)
    // Queues with the same options share an encoding, except under a narrow, whose result can depend on the user.
    if (queue.options === this.plainOptions) return this.plain
    const encoded = queue.reads(entry)
    if (queue.options.narrow === null) {
      this.plainOptions = queue.options
      this.plain = encoded
    }
    return encoded
  }

  private evictTooLong(): void {
    const tooLong = new Set(this.tooLong)
    this.tooLong = []
    for (const queue of tooLong) this.parts.eviction.evict(queue, 'too many unread events')
  }
}

/** Whether the entry has extra fields for this user. */
function isNamed({ perUser }: Entry, userId: number): boolean {
  for (let i = 0; i < perUser.length; i++) if (perUser[i]?.users.has(userId)) return true
  return false
}
