import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, badRequest } from '../../shared/errors.js'
import type { EventDef } from '../../shared/events/event.js'
import type { Config } from '../config.js'
import type { Clock } from '../ctx.js'
import type { Log } from '../log.js'
import type { RedisClient } from '../redis/client.js'
import { loadFunctions } from '../redis/functions.js'
import { keysOf } from '../redis/keys.js'
import { Backlog } from './backlog.js'
import { Claims } from './claims.js'
import { Defs } from './defs.js'
import { Delivery } from './delivery.js'
import type { Emission } from './emission.js'
import { encodeEmission } from './entry.js'
import { Feed } from './feed.js'
import { Heartbeats } from './heartbeats.js'
import { gapEnd, idStep } from './ids.js'
import { Lease, newWorkerId } from './lease.js'
import type { Outbox } from './outbox.js'
import { OutboxSweep } from './outbox-sweep.js'
import type { Parts } from './parts.js'
import { Published } from './published.js'
import { Publisher } from './publisher.js'
import { Pump } from './pump.js'
import { Queue } from './queue.js'
import { QueueLog, renewalAfter } from './queue-log.js'
import { QueueStore } from './queue-store.js'
import { badQueue, type Ending, Queues } from './queues.js'
import { PollReader, SocketReader } from './readers.js'
import type {
  Attachment,
  Consumer,
  OutboxedEmission,
  PollAnswer,
  QueueOptions,
  Realtime,
  RealtimeStats,
  Snapshot,
} from './realtime.js'
import { Recent } from './recent.js'
import { RedisRun } from './redis-run.js'
import { ShownTransactions } from './snapshot.js'
import { Sweeper } from './sweeper.js'
import { Tail } from './tail.js'
import { defaultTiming, type Timing } from './timing.js'
import { Upkeep } from './upkeep.js'
import { Views } from './views.js'

export interface EngineOptions {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly redis: RedisClient
  /** Which organization's feed. */
  readonly org: string
  readonly defs: ReadonlyMap<string, EventDef>
  readonly outbox: Outbox
  readonly timing?: Partial<Timing>
}

export interface Engine extends Realtime {
  /** No new readers; those that are there are sent away, to come back elsewhere. */
  drain(): void
  /** Drains, writes what is not written, and leaves the queues to the other workers. */
  stop(): Promise<void>
  /** A worker of this machine died: what it left is looked for at once. */
  siblingDied(): void
}

/** The event engine of one worker: what it is made of, joined. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { config, log, clock, redis, org, outbox } = options
  const parts: Parts = {
    config,
    log,
    clock,
    timing: { ...defaultTiming, ...options.timing },
    redis,
    functions: await loadFunctions(redis),
    keys: keysOf(config.keyPrefix, org),
    outbox,
    worker: newWorkerId(),
  }
  const feed = new Feed(parts, new Defs(options.defs, log))
  const { last } = await feed.ends()
  const engine = new RealtimeEngine(parts, feed, last)
  await engine.start()
  return engine
}

class RealtimeEngine implements Engine {
  readonly #parts: Parts
  readonly #feed: Feed
  readonly #recent: Recent
  readonly #views = new Views()
  readonly #queues: Queues
  readonly #store: QueueStore
  readonly #backlog: Backlog
  readonly #pump: Pump
  readonly #delivery: Delivery
  readonly #run: RedisRun
  readonly #published: Published
  readonly #publisher: Publisher
  readonly #queueLog: QueueLog
  readonly #claims: Claims
  readonly #lease: Lease
  readonly #outboxSweep: OutboxSweep
  readonly #sweeper: Sweeper
  readonly #heartbeats: Heartbeats
  readonly #upkeep: Upkeep
  readonly #stops: (() => void)[] = []
  #isDraining = false
  #oldest = 0
  #recovering: Promise<void> | null = null

  constructor(parts: Parts, feed: Feed, last: number) {
    const lose = (queue: Queue, error: Error) => this.#lose(queue, error)
    this.#parts = parts
    this.#feed = feed
    this.#recent = new Recent(last)
    this.#queues = new Queues(this.#views, () => parts.clock.now())
    this.#store = new QueueStore(parts)
    this.#backlog = new Backlog(this.#recent, feed, this.#store)
    this.#pump = new Pump(parts, this.#queues, this.#backlog, lose)
    this.#delivery = new Delivery(parts, this.#queues, this.#recent, this.#pump, lose)
    this.#run = new RedisRun(parts, feed, this.#recent)
    this.#published = new Published(parts)
    this.#publisher = new Publisher(parts, feed, this.#run, this.#recent, this.#published)
    this.#queueLog = new QueueLog(
      parts,
      this.#queues,
      this.#store,
      this.#recent,
      lose,
      () => this.#run.ready(),
      () => this.#recover(),
    )
    this.#claims = new Claims(parts, this.#queues, this.#store, feed, this.#recent, this.#views, lose)
    this.#lease = new Lease(parts)
    this.#outboxSweep = new OutboxSweep(parts, this.#publisher, this.#published, this.#delivery)
    this.#sweeper = new Sweeper(parts, this.#lease, this.#claims, this.#outboxSweep, feed, this.#publisher)
    this.#heartbeats = new Heartbeats(parts, this.#recent, this.#backlog, this.#pump, () => this.#sweeper.tick())
    this.#upkeep = new Upkeep(parts, this.#queues, this.#heartbeats, queue => this.#end(queue, 'gone'), lose)
  }

  async start(): Promise<void> {
    const { redis, timing, keys, worker } = this.#parts
    await this.#run.start(await this.#lease.isAlone())
    await this.#lease.take(this.#recent.newest)
    this.#run.onNew(() => this.#onNewRun())
    const tail = new Tail(this.#parts, this.#feed, this.#recent.newest, entries => this.#delivery.deliver(entries))
    this.#stops.push(
      () => tail.stop(),
      redis.subscribe(keys.channel(worker), message => this.#hear(message)),
      every(timing.turn, () => this.#turn()),
      every(timing.leaseRenewal, () => void this.#renew()),
      every(timing.sweep, () => void this.#sweeper.sweep()),
    )
    redis.onReady(() => {
      this.#run.suspect()
      this.#run.ready().catch(() => {})
    })
  }

  async register(options: QueueOptions): Promise<{ queueId: string }> {
    this.#refuseWhileDraining()
    const view = this.#views.take(options.view)
    const queue = new Queue(randomUUID(), options, view, 1, 'new', this.#recent.newest)
    queue.idleSince = this.#parts.clock.now()
    this.#queues.add(queue)
    return { queueId: queue.id }
  }

  async began(queueId: string, snapshot: Snapshot | null): Promise<void> {
    const queue = this.#queues.byId.get(queueId)
    if (queue?.state !== 'new') throw badQueue(queueId)
    try {
      if (snapshot !== null) await this.#leaveOutShown(queue, new ShownTransactions(snapshot))
      await this.#queueLog.create(queue)
    } catch (error) {
      this.#queues.remove(queue, 'gone')
      throw error
    }
    queue.idleSince = this.#parts.clock.now()
    queue.renewAt = renewalAfter(queue.idleSince, queue)
    queue.state = 'live'
  }

  async poll(
    queueId: string,
    userId: number,
    lastEventId: number,
    { dontBlock, signal }: { dontBlock: boolean; signal: AbortSignal },
  ): Promise<PollAnswer> {
    const queue = await this.#open(queueId, userId, lastEventId)
    if (signal.aborted) return { queueId, events: [] }
    return new Promise((resolve, reject) => {
      const reader = new PollReader(queueId, dontBlock, resolve, reject)
      queue.reader = reader
      queue.idleSince = this.#parts.clock.now()
      this.#heartbeats.schedule(queue)
      if (dontBlock || !queue.isEmpty) {
        void this.#pump.answer(queue, reader)
        return
      }
      signal.addEventListener('abort', () => {
        if (queue.reader === reader) this.#queues.endReader(queue, 'replaced')
      })
    })
  }

  async attach(queueId: string, userId: number, lastEventId: number, consumer: Consumer): Promise<Attachment> {
    const queue = await this.#open(queueId, userId, lastEventId)
    const reader = new SocketReader(consumer, queue.acked)
    queue.reader = reader
    this.#heartbeats.schedule(queue)
    this.#pump.wake(queue)
    const isAttached = () => queue.reader === reader
    return {
      queueId,
      acknowledge: id => {
        if (!isAttached() || id <= queue.acked) return
        if (queue.check(id) === 'ask') throw badRequest(`Event ${id} was not in this queue`)
        this.#acknowledge(queue, id)
      },
      drained: () => {
        reader.isFull = false
        if (isAttached()) this.#pump.wake(queue)
      },
      detach: () => {
        if (!isAttached()) return
        queue.reader = null
        queue.idleSince = this.#parts.clock.now()
      },
    }
  }

  async drop(queueId: string, userId: number): Promise<void> {
    const own = this.#queues.byId.get(queueId)
    const owner = await this.#store.removeOf(userId, queueId)
    if (owner === null) throw badQueue(queueId)
    if (own?.userId === userId) this.#queues.remove(own, 'gone')
    const { redis, keys, worker } = this.#parts
    if (owner === worker) await this.#store.forget([queueId])
    else redis.command('PUBLISH', keys.channel(owner), JSON.stringify({ queue: queueId })).catch(() => {})
  }

  publish(emissions: readonly OutboxedEmission[]): void {
    this.#publisher.publish(
      emissions.map(({ entry, outboxId, xid, messageId }) => ({
        bytes: entry,
        outboxId,
        xid,
        messageId: messageId ?? 0,
      })),
    )
  }

  announce(emissions: readonly Emission[]): void {
    this.#publisher.publish(
      emissions.map(emission => ({ bytes: encodeEmission(emission), outboxId: 0, xid: '', messageId: 0 })),
    )
  }

  onEntry(listener: (entry: { name: string; payload: object }) => void): void {
    this.#delivery.onEntry(listener)
  }

  revoke(userId: number): void {
    for (const queue of [...(this.#queues.byUser.get(userId) ?? [])]) this.#end(queue, 'revoked')
  }

  stats(): RealtimeStats {
    let attached = 0
    let polls = 0
    let pendingEntries = 0
    for (const { reader, length } of this.#queues.byId.values()) {
      if (reader?.kind === 'socket') attached++
      if (reader?.kind === 'poll') polls++
      pendingEntries += length
    }
    return { queues: this.#queues.byId.size, attached, polls, pendingEntries, feedId: this.#recent.newest }
  }

  siblingDied(): void {
    void this.#sweeper.sweep(true)
  }

  drain(): void {
    this.#isDraining = true
    for (const queue of this.#queues.byId.values()) this.#queues.endReader(queue, 'stopping')
  }

  async stop(): Promise<void> {
    this.drain()
    for (const stop of this.#stops.splice(0)) stop()
    await this.#publisher.stop()
    try {
      // One flush may be under way; the second one writes the rest.
      await this.#queueLog.flush()
      await this.#queueLog.flush(true)
      await this.#published.collect()
      await this.#lease.leave()
      await this.#sweeper.resign()
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'the queues could not be handed over')
    }
  }

  /** The queue, ours by now, with everything up to `lastEventId` acknowledged and no reader. */
  async #open(queueId: string, userId: number, lastEventId: number): Promise<Queue> {
    this.#refuseWhileDraining()
    if (lastEventId > gapEnd(this.#recent.newest)) await this.#read(lastEventId)
    const own = this.#queues.byId.get(queueId)
    const queue = own?.state === 'live' ? own : await this.#takeOver(queueId, userId)
    if (queue?.userId !== userId) throw badQueue(queueId)
    if (queue.check(lastEventId) === 'ask') await this.#ask(queue, lastEventId)
    this.#refuseWhileDraining()
    // Something else may have happened to it meanwhile: then the client asks again.
    if (queue.state !== 'live') throw queue.state === 'gone' ? badQueue(queueId) : notNow()
    this.#queues.endReader(queue, 'replaced')
    this.#acknowledge(queue, lastEventId)
    return queue
  }

  /** The client comes from a worker that had read further than this one has. */
  async #read(lastEventId: number): Promise<void> {
    const { last } = await this.#feed.ends().catch(() => {
      throw notNow()
    })
    if (lastEventId > gapEnd(last)) throw badRequest(`Event ${lastEventId} was not in this queue`)
    const late = sleep(patience, 'late', { ref: false })
    if ((await Promise.race([this.#delivery.reached(lastEventId - (lastEventId % idStep)), late])) === 'late')
      throw notNow()
  }

  async #takeOver(queueId: string, userId: number): Promise<Queue | null> {
    try {
      return await this.#claims.take(queueId, userId)
    } catch (error) {
      this.#parts.log.warn({ error: String(error), queue: queueId }, 'a queue could not be taken over')
      throw notNow()
    }
  }

  /** Whether the owner before us issued this id: the feed tells, as long as it reaches back so far. */
  async #ask(queue: Queue, id: number): Promise<void> {
    const entry = this.#recent.get(id) ?? (await this.#feed.fetch([id]))[0]
    const isIssued = entry ? queue.takes(entry) !== null : id < (await this.#feed.ends()).first
    if (!isIssued) throw badRequest(`Event ${id} was not in this queue`)
  }

  #acknowledge(queue: Queue, id: number): void {
    queue.acknowledge(id)
    if (queue.hasLog && queue.isEmpty) this.#queues.markDirty(queue)
  }

  async #leaveOutShown(queue: Queue, shown: ShownTransactions): Promise<void> {
    const keep: number[] = []
    let upto = 0
    for (const id of queue.idsAfter(0, Number.POSITIVE_INFINITY)) {
      const entry = this.#recent.get(id) ?? (await this.#feed.fetch([id]))[0]
      if (entry && !shown.has(entry.xid)) keep.push(id)
      upto = id
    }
    queue.shown = shown
    // What came while we asked.
    keep.push(
      ...queue.idsAfter(upto, Number.POSITIVE_INFINITY).filter(id => !shown.has(this.#recent.get(id)?.xid ?? 0)),
    )
    queue.load(keep, 0)
  }

  #turn(): void {
    this.#upkeep.pass(this.#oldest)
    void this.#queueLog.flush()
    void this.#published.collect()
  }

  async #renew(): Promise<void> {
    try {
      const sentAt = this.#parts.clock.now()
      if (await this.#lease.renew(this.#queueLog.checkpoint)) this.#published.sawAlive(sentAt)
      else this.#recover()
      this.#oldest = (await this.#feed.ends()).first
    } catch (error) {
      this.#parts.log.debug({ error: String(error) }, 'the lease could not be renewed')
    }
  }

  /** Redis knows nothing of us: it lost data, or others took us for dead. What we believe of it is checked anew. */
  #recover(): void {
    this.#recovering ??= this.#checkRedis().finally(() => {
      this.#recovering = null
    })
  }

  async #checkRedis(): Promise<void> {
    try {
      this.#run.suspectLoss()
      await this.#run.ready()
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'Redis could not be checked')
    }
  }

  async #onNewRun(): Promise<void> {
    try {
      await this.#outboxSweep.republish()
    } catch (error) {
      // The sweep comes to it.
      this.#parts.log.warn({ error: String(error) }, 'the outbox could not be read')
    }
    this.#queueLog.recheck()
    await this.#lease.take(this.#queueLog.checkpoint)
  }

  /** Another worker took over or dropped a queue of ours. */
  #hear(message: string): void {
    const { queue: id, epoch } = JSON.parse(message) as { queue: string; epoch?: number }
    const queue = this.#queues.byId.get(id)
    if (!queue) return
    if (epoch === undefined) this.#queues.remove(queue, 'gone')
    else if (queue.epoch < epoch) this.#queues.remove(queue, 'replaced')
  }

  /** The queue cannot be delivered whole: its client is told, and registers anew. */
  #lose(queue: Queue, error: Error): void {
    this.#parts.log.info({ queue: queue.id, user: queue.userId, reason: error.message }, 'a queue is dropped')
    this.#end(queue, 'gone')
  }

  #end(queue: Queue, ending: Ending): void {
    const isKnown = queue.state !== 'new'
    this.#queues.remove(queue, ending)
    if (isKnown) this.#store.remove(queue).catch(() => {})
  }

  #refuseWhileDraining(): void {
    if (this.#isDraining) throw notNow()
  }
}

// A worker that is so far behind the feed had better not be asked.
const patience = 5000

const notNow = (): ApiError => new ApiError('SERVER_NOT_READY', 'The server cannot serve event queues at the moment.')

function every(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds)
  return () => clearInterval(timer)
}
