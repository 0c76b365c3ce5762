import { setTimeout as sleep } from 'node:timers/promises'
import type { EventDef } from '../../shared/events/event.js'
import type { Clock } from '../concurrency/clock.js'
import type { Config } from '../config.js'
import { logFailure } from '../failures/log-failure.js'
import type { Log } from '../log.js'
import type { RedisClient } from '../redis/client.js'
import { loadFunctions } from '../redis/functions.js'
import { keysOf } from '../redis/keys.js'
import type { Emission } from './emission.js'
import { Defs, encodeEmission } from './encoding/index.js'
import { buildComponents, type EngineComponents } from './engine-components.js'
import { EngineCounts } from './engine-counts.js'
import type { EngineDeps } from './engine-deps.js'
import { EntryCache, Feed } from './feed/index.js'
import { deleteQueue, newWorkerId } from './ownership/index.js'
import { ofUser } from './queues/index.js'
import type {
  Attachment,
  EventSocket,
  Outbox,
  OutboxedEmission,
  PollAnswer,
  QueueOptions,
  Realtime,
  RealtimeStats,
  ReceivedEntry,
  RequestSignal,
  RowsBefore,
  Snapshot,
  WaitingReceiver,
} from './realtime.js'
import { defaultTiming, type Timing } from './timing.js'

// Waiting polls are answered, and sockets written, in a few turns of the event loop after an entry has arrived.
const lastEventsMs = 500

interface EngineOptions {
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
  const cache = new EntryCache(await feed.newest(readAtStart))
  const engine = new RealtimeEngine(deps, cache, buildComponents(deps, feed, cache))
  await engine.start()
  return engine
}

class RealtimeEngine implements Engine {
  private readonly stops: (() => void)[] = []

  constructor(
    private readonly deps: EngineDeps,
    private readonly cache: EntryCache,
    private readonly components: EngineComponents,
  ) {}

  async start(): Promise<void> {
    const { redis, timing, keys, worker } = this.deps
    const { restarts, lease, tail, outboxSweep, messages, queueLog, recovery, sweeper } = this.components
    await restarts.start(await lease.isAlone())
    await lease.take(this.cache.newest)
    tail.start()
    // Publish the outbox rows of dead workers before the first event of this worker.
    await outboxSweep.sweep(0)
    this.stops.push(
      () => tail.stop(),
      redis.subscribe(
        {
          [keys.channel(worker)]: message => messages.receive(message),
          [keys.entries + worker]: message => tail.receiveMessage(message),
        },
        () => tail.look(),
      ),
      every(timing.feedReadMs, () => tail.look()),
      every(timing.maintenanceMs, () => this.maintain()),
      every(timing.queueLogMs, () => void queueLog.flush()),
      every(timing.leaseRenewalMs, () => void recovery.renew()),
      every(timing.sweepMs, () => sweeper.sweep()),
    )
    redis.onReady(() => {
      restarts.suspect()
      // This check is only an earlier attempt: the lease renewal repeats it within a second and logs a failure.
      restarts.ready().catch(() => {})
    })
  }

  private maintain(): void {
    const { maintenance, receivers, recovery, cleanup } = this.components
    this.deps.counts.clock.adjust()
    maintenance.pass(recovery.oldest)
    receivers.pass()
    void cleanup.collect()
  }

  register<State extends { readonly snapshot: Snapshot | null }>(
    options: QueueOptions,
    read: () => Promise<State>,
  ): Promise<{ queueId: string; state: State }> {
    return this.components.registration.register(options, read)
  }

  registerAfter(options: QueueOptions, eventId: number): Promise<string> {
    return this.components.replays.register(options, eventId)
  }

  isInFeed(eventId: number): Promise<boolean> {
    return this.components.replays.isInFeed(eventId)
  }

  poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    options: { dontBlock: boolean; signal: RequestSignal },
  ): Promise<PollAnswer> {
    return this.components.consumers.poll(queueId, userId, lastEventId, options)
  }

  pollHere(queueId: string, userId: number, lastEventId: number, receiver: WaitingReceiver): boolean {
    return this.components.consumers.pollHere(queueId, userId, lastEventId, receiver)
  }

  attach(queueId: string, userId: number, lastEventId: number, socket: EventSocket): Promise<Attachment> {
    return this.components.consumers.attach(queueId, userId, lastEventId, socket)
  }

  drop(queueId: string, userId: number): Promise<void> {
    const { queues, store, messages } = this.components
    return deleteQueue(queueId, userId, { deps: this.deps, queues, store, messages })
  }

  get knownRows(): RowsBefore {
    return this.components.rows
  }

  publish(emissions: readonly OutboxedEmission[]): void {
    const { rows, publisher } = this.components
    for (const { outboxId } of emissions) rows.publishes(outboxId)
    publisher.publish(
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
    this.components.publisher.leave()
    this.publish(emissions)
  }

  announce(emissions: readonly Emission[]): void {
    this.components.publisher.publish(
      emissions.map(emission => ({ bytes: encodeEmission(emission), outboxId: 0, xid: '', messageId: 0 })),
    )
  }

  onEntry(listener: (entry: ReceivedEntry) => void): void {
    this.components.delivery.onEntry(listener)
  }

  revoke(userId: number): void {
    const { queues, eviction } = this.components
    for (const queue of ofUser(queues.firstOf(userId))) eviction.end(queue, 'revoked')
  }

  async endAll(): Promise<void> {
    const { queues, eviction } = this.components
    await sleep(lastEventsMs, undefined, { ref: false })
    for (const queue of [...queues.byId.values()]) eviction.end(queue, 'revoked')
  }

  recallDirectories(waitMs: number): Promise<boolean> {
    return this.components.directoryRecall.recall(waitMs)
  }

  onDirectoryRecall(listener: () => void): void {
    this.components.directoryRecall.received.on(listener)
  }

  revokeElsewhere(userIds: readonly number[], waitMs: number): Promise<boolean> {
    return this.components.directoryRecall.revokeElsewhere(userIds, waitMs)
  }

  onRevocation(listener: (userIds: readonly number[]) => Promise<void>): void {
    this.components.directoryRecall.revoke = listener
  }

  onLastCollected(listener: (userId: number, idleSince: number) => Promise<void>): void {
    this.components.maintenance.lastCollected = listener
  }

  isReachable(forMs: number): boolean {
    return this.components.lease.isConfirmed(forMs)
  }

  stats(): RealtimeStats {
    const { queues, publisher } = this.components
    return { ...queues.stats(), unpublished: publisher.waiting, feedId: this.cache.newest }
  }

  get counts(): EngineCounts {
    return this.deps.counts
  }

  siblingDied(): void {
    this.components.sweeper.sweep(true)
  }

  drain(): void {
    this.components.queues.drain()
  }

  async stop(): Promise<void> {
    const { publisher, queueLog, sweeper, cleanup, lease } = this.components
    this.drain()
    for (const stop of this.stops.splice(0)) stop()
    await publisher.stop()
    try {
      // A flush may already be running; the second flush writes the rest and the queues that a last sweep adopted.
      await queueLog.flush()
      await sweeper.stop()
      await queueLog.flush(true)
      await cleanup.collect()
      await lease.leave()
      await sweeper.resign()
    } catch (error) {
      logFailure(this.deps, error, 'the queues could not be handed over')
    }
  }
}

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  return () => clearInterval(timer)
}
