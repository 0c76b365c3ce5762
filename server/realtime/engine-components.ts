import { Backlog, CatchUp, Consumers, Delivery, Heartbeats, QueueMaintenance } from './delivery/index.js'
import { Views } from './encoding/index.js'
import type { EngineDeps } from './engine-deps.js'
import {
  type EntryCache,
  type Feed,
  KnownRows,
  OutboxCleanup,
  Publisher,
  RestartDetection,
  Tail,
} from './feed/index.js'
import { Backfill, Claims, DirectoryRecall, EventIdCheck, Lease, Opening, WorkerMessages } from './ownership/index.js'
import {
  Eviction,
  LogStore,
  OptionsPool,
  QueueLog,
  QueueStore,
  Queues,
  Receivers,
  Registration,
  Replays,
} from './queues/index.js'
import { OutboxSweep, Recovery, Sweeper } from './recovery/index.js'

export type EngineComponents = ReturnType<typeof buildComponents>

/**
 * Builds the components of an engine, each after those that it uses. A constructor gets only components that exist already. A component that has to
 * notify a later one has a signal (`RestartDetection.restarted`, `RestartDetection.logsShaken`, `QueueLog.keysMissing`), to which the
 * later one subscribes.
 */
export function buildComponents(deps: EngineDeps, feed: Feed, cache: EntryCache) {
  const pool = new OptionsPool(new Views())
  const queues = new Queues(pool, () => deps.clock.now())

  // Which entries this worker has read from the feed, and which of them Redis may have lost.
  const rows = new KnownRows(cache.between(0, cache.newest))
  const restarts = new RestartDetection(deps, feed, cache)

  // The queues in Redis.
  const logs = new LogStore(deps, restarts)
  const receivers = new Receivers(deps, queues)
  queues.ended = userId => receivers.left(userId)
  const store = new QueueStore(deps, restarts, receivers)
  const eviction = new Eviction(deps, queues, store)
  const queueLog = new QueueLog(deps, { queues, store, logs, restarts, cache, eviction })
  const registration = new Registration(deps, { queues, pool, store, log: queueLog, feed, cache })

  // From the feed to the consumers.
  const backlog = new Backlog(cache, feed, logs)
  const catchUp = new CatchUp(deps, queues, backlog, eviction)
  const delivery = new Delivery(deps, { queues, cache, catchUp, rows, eviction })
  const tail = new Tail(deps, feed, cache.newest, delivery)

  // From the commit to the feed.
  const cleanup = new OutboxCleanup(deps)
  const publisher = new Publisher(deps, { feed, restarts, cache, cleanup, tail })

  // Queues of other workers.
  const lease = new Lease(deps)
  const directoryRecall = new DirectoryRecall(deps)
  const messages = new WorkerMessages(deps, queues, directoryRecall)
  const backfill = new Backfill(deps, { queues, feed, cache, eviction })
  const claims = new Claims(deps, { queues, store, backfill, cache, pool, messages })
  const ids = new EventIdCheck(feed, cache, restarts)
  const opening = new Opening(deps, queues, claims, ids)

  const heartbeats = new Heartbeats(deps, { cache, backlog, catchUp, publisher })
  const maintenance = new QueueMaintenance(deps, queues, heartbeats, eviction)
  const consumers = new Consumers(deps, { queues, opening, ids, heartbeats, catchUp })

  const outboxSweep = new OutboxSweep(deps, publisher, cleanup, rows)
  const sweeper = new Sweeper(deps, { lease, claims, outbox: outboxSweep, feed, publisher })
  const recovery = new Recovery(deps, { feed, restarts, lease, queueLog, outboxSweep, cleanup })

  return {
    queues,
    rows,
    receivers,
    restarts,
    store,
    eviction,
    queueLog,
    registration,
    replays: new Replays(queues, store, feed),
    delivery,
    tail,
    cleanup,
    publisher,
    lease,
    directoryRecall,
    messages,
    maintenance,
    consumers,
    outboxSweep,
    sweeper,
    recovery,
  }
}
