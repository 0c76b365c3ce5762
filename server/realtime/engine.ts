import type { EventDef } from '../../shared/events/event.js'
import type { Config } from '../config.js'
import type { Clock } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import type { Log } from '../log.js'
import type { RedisClient } from '../redis/client.js'
import { loadFunctions } from '../redis/functions.js'
import { keysOf } from '../redis/keys.js'
import { Backlog } from './delivery/backlog.js'
import { CatchUp } from './delivery/catch-up.js'
import { Delivery } from './delivery/delivery.js'
import { Entrance } from './delivery/entrance.js'
import { Heartbeats } from './delivery/heartbeats.js'
import { QueueMaintenance } from './delivery/queue-maintenance.js'
import type { Emission } from './emission.js'
import { Defs } from './encoding/defs.js'
import { encodeEmission } from './encoding/entry.js'
import { Views } from './encoding/views.js'
import { EngineCounts } from './engine-counts.js'
import type { EngineDeps } from './engine-deps.js'
import { EntryCache } from './feed/entry-cache.js'
import { Feed } from './feed/feed.js'
import type { KnownRows } from './feed/known-rows.js'
import { OutboxCleanup } from './feed/outbox-cleanup.js'
import { Publisher } from './feed/publisher.js'
import { RedisProcesses } from './feed/redis-processes.js'
import { RestartDetection } from './feed/restart-detection.js'
import { Tail } from './feed/tail.js'
import type { Outbox } from './outbox.js'
import { Admission } from './ownership/admission.js'
import { Backfill } from './ownership/backfill.js'
import { Claims, type OwnerNews } from './ownership/claims.js'
import { Lease, newWorkerId } from './ownership/lease.js'
import { LogStore } from './queues/log-store.js'
import type { Ending, Queue } from './queues/queue.js'
import { reportsOf } from './queues/queue-descriptions.js'
import { QueueLog } from './queues/queue-log.js'
import { requireQueueRoom } from './queues/queue-room.js'
import { QueueStore } from './queues/queue-store.js'
import { badQueue, ofUser, Queues } from './queues/queues.js'
import { Registration } from './queues/registration.js'
import { OptionsPool } from './queues/shared-options.js'
import type {
  Attachment,
  Consumer,
  HeardEntry,
  OutboxedEmission,
  PollAnswer,
  QueueOptions,
  Realtime,
  RealtimeStats,
  RequestSignal,
  Snapshot,
} from './realtime.js'
import { OutboxSweep } from './recovery/outbox-sweep.js'
import { Recovery } from './recovery/recovery.js'
import { Sweeper } from './recovery/sweeper.js'
import { defaultTiming, type Timing } from './timing.js'

export interface EngineOptions {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly redis: RedisClient
  /** The organization whose feed this engine serves. */
  readonly org: string
  readonly defs: ReadonlyMap<string, EventDef>
  readonly outbox: Outbox
  readonly timing?: Partial<Timing>
}

export interface Engine extends Realtime {
  /** Rejects new consumers and ends the existing ones, whose clients then reconnect to another worker. */
  drain(): void
  /** Drains, publishes waiting events, writes the queue logs, and gives up the lease so that other workers can adopt the queues. */
  stop(): Promise<void>
  /** Another worker of this machine died: sweep its outbox rows and adopt its queues at once. */
  siblingDied(): void
  /** Counters for the metrics; only the engine changes them. */
  readonly counts: EngineCounts
}

// Entries read into the entry cache at start, in about 20 ms. A replacement of a dead worker backfills thousands of queues at once;
// without these entries it would read the feed in Redis for them.
const readAtStart = 2048

/** Builds and starts the event engine of one worker. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { config, log, clock, redis, org, outbox } = options
  const deps: EngineDeps = {
    config,
    log,
    clock,
    timing: { ...defaultTiming, ...options.timing },
    redis,
    functions: await loadFunctions(redis),
    keys: keysOf(config.keyPrefix, org),
    outbox,
    worker: newWorkerId(),
    counts: new EngineCounts(),
  }
  const feed = new Feed(deps, new Defs(options.defs, log))
  const engine = new RealtimeEngine(deps, feed, new EntryCache(await feed.newest(readAtStart)))
  await engine.start()
  return engine
}

class RealtimeEngine implements Engine {
  readonly #deps: EngineDeps
  readonly #cache: EntryCache
  readonly #pool = new OptionsPool(new Views())
  readonly #queues: Queues
  readonly #store: QueueStore
  readonly #backlog: Backlog
  readonly #catchUp: CatchUp
  readonly #delivery: Delivery
  readonly #run: RestartDetection
  readonly #cleanup: OutboxCleanup
  readonly #publisher: Publisher
  readonly #queueLog: QueueLog
  readonly #claims: Claims
  readonly #lease: Lease
  readonly #outboxSweep: OutboxSweep
  readonly #sweeper: Sweeper
  readonly #heartbeats: Heartbeats
  readonly #maintenance: QueueMaintenance
  readonly #registration: Registration
  readonly #entrance: Entrance
  readonly #recovery: Recovery
  readonly #tail: Tail
  readonly #stops: (() => void)[] = []

  constructor(deps: EngineDeps, feed: Feed, cache: EntryCache) {
    const lose = (queue: Queue, error: Error) => this.#lose(queue, error)
    this.#deps = deps
    this.#cache = cache
    this.#queues = new Queues(this.#pool, () => deps.clock.now())
    const processes = new RedisProcesses(deps)
    const logs = new LogStore(deps, processes)
    this.#store = new QueueStore(deps, processes)
    this.#backlog = new Backlog(this.#cache, feed, logs)
    this.#catchUp = new CatchUp(deps, this.#queues, this.#backlog, lose)
    this.#delivery = new Delivery(deps, this.#queues, this.#cache, this.#catchUp, lose)
    this.#run = new RestartDetection(deps, feed, this.#cache)
    this.#cleanup = new OutboxCleanup(deps)
    this.#tail = new Tail(deps, feed, cache.newest, entries => this.#delivery.deliver(entries))
    this.#publisher = new Publisher(deps, feed, this.#run, cache, this.#cleanup, (entries, newest) =>
      this.#tail.hear(entries, newest),
    )
    this.#queueLog = new QueueLog(
      deps,
      this.#queues,
      this.#store,
      logs,
      processes,
      this.#cache,
      lose,
      () => this.#run.ready(),
      () => this.#recovery.start(),
    )
    const backfill = new Backfill(deps, this.#queues, feed, this.#cache, lose)
    this.#claims = new Claims(deps, this.#queues, this.#store, backfill, this.#cache, this.#pool)
    this.#lease = new Lease(deps)
    this.#outboxSweep = new OutboxSweep(deps, this.#publisher, this.#cleanup, this.#delivery)
    this.#sweeper = new Sweeper(deps, this.#lease, this.#claims, this.#outboxSweep, feed, this.#publisher)
    this.#heartbeats = new Heartbeats(deps, this.#cache, this.#backlog, this.#catchUp, () => this.#sweeper.tick())
    this.#maintenance = new QueueMaintenance(
      deps,
      this.#queues,
      this.#heartbeats,
      queue => this.#end(queue, 'gone'),
      lose,
    )
    const admission = new Admission(deps, this.#queues, this.#claims, this.#delivery, feed, this.#cache, this.#run)
    this.#entrance = new Entrance(deps, this.#queues, admission, this.#heartbeats, this.#catchUp)
    this.#registration = new Registration(
      deps,
      this.#queues,
      this.#pool,
      this.#store,
      this.#queueLog,
      feed,
      this.#cache,
      userId => this.#requireRoom(userId),
    )
    this.#recovery = new Recovery(deps, feed, this.#run, this.#lease, this.#queueLog, this.#outboxSweep, this.#cleanup)
  }

  async start(): Promise<void> {
    const { redis, timing, keys, worker } = this.#deps
    await this.#run.start(await this.#lease.isAlone())
    await this.#lease.take(this.#cache.newest)
    this.#run.onNew(() => this.#recovery.onNewRun())
    const tail = this.#tail
    tail.start()
    // Publish the outbox rows of dead workers before the first event of this worker.
    await this.#outboxSweep.sweep(0)
    this.#stops.push(
      () => tail.stop(),
      redis.subscribe(
        {
          [keys.channel(worker)]: message => this.#hear(message.toString()),
          [keys.heard + worker]: message => tail.hearNews(message),
        },
        () => tail.look(),
      ),
      every(timing.feedReadMs, () => tail.look()),
      every(timing.maintenanceMs, () => this.#turn()),
      every(timing.queueLogMs, () => void this.#queueLog.flush()),
      every(timing.leaseRenewalMs, () => void this.#recovery.renew()),
      every(timing.sweepMs, () => this.#sweeper.sweep()),
    )
    redis.onReady(() => {
      this.#run.suspect()
      // This check is only an earlier attempt: the lease renewal repeats it within a second and logs a failure.
      this.#run.ready().catch(() => {})
    })
  }

  register<State extends { readonly snapshot: Snapshot | null }>(
    options: QueueOptions,
    read: () => Promise<State>,
  ): Promise<{ queueId: string; state: State }> {
    return this.#registration.register(options, read)
  }

  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    options: { dontBlock: boolean; signal: RequestSignal },
  ): Promise<PollAnswer> {
    return this.#entrance.poll(queueId, userId, lastEventId, options)
  }

  attach(queueId: string, userId: number, lastEventId: number, consumer: Consumer): Promise<Attachment> {
    return this.#entrance.attach(queueId, userId, lastEventId, consumer)
  }

  async drop(queueId: string, userId: number): Promise<void> {
    const own = this.#queues.byId.get(queueId)
    const owner = await this.#store.removeOf(userId, queueId)
    if (owner === null) throw badQueue(queueId)
    if (own?.userId === userId) this.#queues.remove(own, 'gone')
    const { redis, keys, worker } = this.#deps
    if (owner === worker) await this.#store.forget([queueId])
    else
      redis
        .command('PUBLISH', keys.channel(owner), JSON.stringify({ dropped: queueId } satisfies OwnerNews))
        // A lost notification is harmless: the owner finds the queue deleted when it next writes the queue log.
        .catch(error =>
          logFailure(this.#deps, error, 'the owner of a deleted queue was not notified', { queue: queueId }),
        )
  }

  get knownRows(): KnownRows {
    return this.#delivery.knownRows
  }

  publish(emissions: readonly OutboxedEmission[]): void {
    for (const { outboxId } of emissions) this.#delivery.knownRows.publishes(outboxId)
    this.#publisher.publish(
      emissions.map(({ entry, outboxId, xid, messageId, trace }) => ({
        bytes: entry,
        outboxId,
        xid,
        messageId: messageId ?? 0,
        trace,
      })),
    )
  }

  publishBehindOutbox(emissions: readonly OutboxedEmission[]): void {
    this.#publisher.leave()
    this.publish(emissions)
  }

  announce(emissions: readonly Emission[]): void {
    this.#publisher.publish(
      emissions.map(emission => ({ bytes: encodeEmission(emission), outboxId: 0, xid: '', messageId: 0 })),
    )
  }

  onEntry(listener: (entry: HeardEntry) => void): void {
    this.#delivery.onEntry(listener)
  }

  revoke(userId: number): void {
    for (const queue of ofUser(this.#queues.firstOf(userId))) this.#end(queue, 'revoked')
  }

  stats(): RealtimeStats {
    let attached = 0
    let polls = 0
    let behind = 0
    let pendingEntries = 0
    for (const { reader, length } of this.#queues.byId.values()) {
      if (reader?.kind === 'poll') polls++
      else if (reader?.kind === 'socket') {
        attached++
        if (!reader.isLive) behind++
      }
      pendingEntries += length
    }
    return {
      queues: this.#queues.byId.size,
      attached,
      polls,
      behind,
      pendingEntries,
      unpublished: this.#publisher.waiting,
      feedId: this.#cache.newest,
    }
  }

  get counts(): EngineCounts {
    return this.#deps.counts
  }

  siblingDied(): void {
    this.#sweeper.sweep(true)
  }

  drain(): void {
    this.#entrance.isClosed = true
    for (const queue of this.#queues.byId.values()) this.#queues.endReader(queue, 'stopping')
  }

  async stop(): Promise<void> {
    this.drain()
    for (const stop of this.#stops.splice(0)) stop()
    await this.#publisher.stop()
    try {
      // A flush may already be running; the second flush writes the rest and the queues that a last sweep adopted.
      await this.#queueLog.flush()
      await this.#sweeper.stop()
      await this.#queueLog.flush(true)
      await this.#cleanup.collect()
      await this.#lease.leave()
      await this.#sweeper.resign()
    } catch (error) {
      logFailure(this.#deps, error, 'the queues could not be handed over')
    }
  }

  #turn(): void {
    this.#deps.counts.clock.adjust()
    this.#maintenance.pass(this.#recovery.oldest)
    void this.#cleanup.collect()
  }

  /** @throws {ApiError} SERVER_NOT_READY, RATE_LIMIT_HIT */
  #requireRoom(userId: number): void {
    this.#entrance.refuseWhenClosed()
    requireQueueRoom(this.#queues, userId, this.#deps.config.maxQueuesUser)
  }

  /** Handles a message on this worker's channel: queues taken over or deleted by another process, or a request for descriptions. */
  #hear(message: string): void {
    const { taken = [], dropped = '', asker } = JSON.parse(message) as OwnerNews
    for (const [id, epoch] of taken) {
      const queue = this.#queues.byId.get(id)
      if (queue && queue.epoch < epoch) this.#queues.remove(queue, 'replaced')
    }
    const queue = this.#queues.byId.get(dropped)
    if (queue) this.#queues.remove(queue, 'gone')
    if (asker !== undefined) this.#report(asker)
  }

  #report(asker: string): void {
    const { redis, keys, worker, clock } = this.#deps
    for (const report of reportsOf(worker, [...this.#queues.byId.values()], clock.now())) {
      redis
        .command('PUBLISH', keys.channel(asker), JSON.stringify(report))
        .catch(error => logFailure(this.#deps, error, 'the worker that asked for the queues got no answer'))
    }
  }

  /** Evicts a queue that is incomplete or too long; its client gets BAD_EVENT_QUEUE_ID and registers again. */
  #lose(queue: Queue, error: Error): void {
    this.#deps.log.info({ queue: queue.id, user: queue.userId, reason: error.message }, 'a queue was evicted')
    this.#deps.counts.lost++
    this.#end(queue, 'gone')
  }

  #end(queue: Queue, ending: Ending): void {
    // The registration itself removes the Redis keys of a queue that is still being registered.
    const isNew = queue.state === 'new'
    this.#queues.remove(queue, ending)
    if (!isNew) this.#store.discard(queue)
  }
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  return () => clearInterval(timer)
}
