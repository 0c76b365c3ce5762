import { readConfig } from '../../server/config.js'
import { createLog } from '../../server/log.js'
import type { CatchUp } from '../../server/realtime/delivery/catch-up.js'
import { Delivery } from '../../server/realtime/delivery/delivery.js'
import { Defs } from '../../server/realtime/encoding/defs.js'
import { Entry, encodeEmission } from '../../server/realtime/encoding/entry.js'
import { Views } from '../../server/realtime/encoding/views.js'
import { EngineCounts } from '../../server/realtime/engine-counts.js'
import type { EngineDeps } from '../../server/realtime/engine-deps.js'
import { EntryCache } from '../../server/realtime/feed/entry-cache.js'
import type { Feed } from '../../server/realtime/feed/feed.js'
import { idStep } from '../../server/realtime/feed/ids.js'
import { KnownRows } from '../../server/realtime/feed/known-rows.js'
import { RestartDetection } from '../../server/realtime/feed/restart-detection.js'
import { Eviction } from '../../server/realtime/queues/eviction.js'
import type { LogStore } from '../../server/realtime/queues/log-store.js'
import type { Queue } from '../../server/realtime/queues/queue.js'
import { QueueLog } from '../../server/realtime/queues/queue-log.js'
import { OptionsPool } from '../../server/realtime/queues/queue-options.js'
import type { QueueStore } from '../../server/realtime/queues/queue-store.js'
import { Queues } from '../../server/realtime/queues/queues.js'
import { Registration } from '../../server/realtime/queues/registration.js'
import type { Random } from '../support/random.js'
import { noted } from './rig.js'

const queueMaxEvents = 12
const log = createLog('silent', 'test')
const defs = new Defs(new Map([[noted.name, noted as never]]), log)

/** An entry cache that drops its entries on command. */
class Forgetful extends EntryCache {
  forgotten = 0
  override get(id: number) {
    return id > this.forgotten ? super.get(id) : undefined
  }
}

/**
 * The registrations of one worker, with a simulated database, feed and Redis whose behavior at each wait depends on
 * random numbers. The n-th transaction commits the number n, whose event is the n-th of the feed.
 */
export class RegisteringWorld {
  committed = 0
  published = 0
  reads = 0
  /** Ids of the queues that Redis contains. */
  readonly inRedis = new Set<string>()
  readonly queues: Queues
  readonly registration: Registration
  private readonly cache = new Forgetful([])
  private readonly delivery: Delivery
  private readonly eviction: Eviction
  private readonly feed = new Map<number, Entry>()
  /** Percentage of waits with a failure. */
  private readonly trouble: number
  private now = 1_000_000

  constructor(private readonly random: Random) {
    this.trouble = [0, 10, 30, 90][random(4)] as number
    const config = { ...readConfig({}), queueMaxEvents }
    const clock = { now: () => this.now }
    const deps = { config, log, clock, counts: new EngineCounts() } as unknown as EngineDeps
    const pool = new OptionsPool(new Views())
    this.queues = new Queues(pool, clock.now)
    this.eviction = new Eviction(deps, this.queues, this.store)
    this.delivery = new Delivery(deps, {
      queues: this.queues,
      cache: this.cache,
      catchUp: {} as CatchUp,
      rows: new KnownRows(),
      eviction: this.eviction,
    })
    const queueLog = new QueueLog(deps, {
      queues: this.queues,
      store: this.store as unknown as QueueStore,
      logs: {} as LogStore,
      restarts: new RestartDetection(deps, {} as Feed, this.cache),
      cache: this.cache,
      eviction: this.eviction,
    })
    const feed = { transactions: (ids: readonly number[]) => this.transactions(ids) }
    this.registration = new Registration(deps, {
      queues: this.queues,
      pool,
      store: this.store,
      log: queueLog,
      feed,
      cache: this.cache,
    })
  }

  /** Reads the state: the number of commits that its snapshot shows. */
  read = async () => {
    this.reads++
    await this.wait()
    const shown = this.committed
    await this.wait()
    return { snapshot: `${shown + 1}:${shown + 1}:`, shown }
  }

  private readonly store = {
    create: async (queue: Queue) => {
      await this.wait()
      this.inRedis.add(queue.id)
      await this.wait()
      return true
    },
    discard: (queue: Queue) => {
      this.inRedis.delete(queue.id)
    },
  }

  private async transactions(ids: readonly number[]): Promise<(number | undefined)[]> {
    await this.wait()
    const found = ids.map(id => this.feed.get(id)?.xid)
    await this.wait()
    return found
  }

  /** Some transactions commit, most are published; some waits have a failure. @throws like an unavailable Redis */
  private async wait(): Promise<void> {
    for (let steps = this.random(4); steps > 0; steps--) {
      this.committed++
      if (this.random(3) > 0) this.publish()
    }
    if (this.random(100) < this.trouble) this.makeTrouble()
    await Promise.resolve()
  }

  private makeTrouble(): void {
    const kind = this.random(20)
    if (kind < 3) {
      this.committed += queueMaxEvents + 1
      this.publish()
    } else if (kind < 6) this.missEntries()
    else if (kind < 10) this.cache.forgotten = this.cache.newest
    else if (kind < 14) {
      this.cache.forgotten = this.cache.newest
      this.feed.clear()
    } else if (kind < 16) this.now += 20_000
    else if (kind < 17) for (const queue of [...this.queues.byId.values()]) this.eviction.end(queue, 'revoked')
    else if (kind < 18) throw new Error('Redis is away')
  }

  /** Publishes all commits to the feed and to the queues. */
  private publish(): void {
    const entries: Entry[] = []
    while (this.published < this.committed) entries.push(this.append())
    void this.delivery.deliver(entries)
  }

  /** The feed loses entries before this worker has read them. */
  private missEntries(): void {
    this.publish()
    this.committed += 2
    this.append()
    this.feed.clear()
    this.publish()
  }

  private append(): Entry {
    const previous = this.published * idStep
    const n = ++this.published
    const bytes = encodeEmission({ def: noted as never, payload: { n }, audience: [1] })
    const entry = new Entry({ id: n * idStep, bytes, outboxId: n, xid: n, messageId: 0, previous }, defs)
    this.feed.set(entry.id, entry)
    return entry
  }
}
