/**
 * Queues: the queues that this worker owns, in its memory and in Redis.
 *
 * Guarantees: a queue's state changes only by the transitions in the table of `Queue`, the state of its log by those of `LogProgress`.
 * The checkpoint of a worker never exceeds what all of its queue logs hold (I1); Redis rejects a write of a former owner. Everything
 * that another worker needs to continue a queue is in Redis (I6). A registered queue is complete, or it is evicted before its client
 * learns of it.
 * Needs: the feed for what memory no longer holds, and a listener that acts on missing keys (`QueueLog.keysMissing`; the recovery subscribes).
 */

export { PollConsumer, SocketConsumer } from './consumer.js'
export { Eviction } from './eviction.js'
export { LogStore } from './log-store.js'
export { Queue, wasNotIn } from './queue.js'
export { QueueLog } from './queue-log.js'
export { OptionsPool, SharedOptions } from './queue-options.js'
export { type QueueFacts, QueueStore, unpackFacts } from './queue-store.js'
export { badQueue, notNow, ofUser, Queues } from './queues.js'
export { Receivers, receives } from './receivers.js'
export { decodeReferences } from './references.js'
export { Registration } from './registration.js'
export { Replays } from './replays.js'
export { ShownTransactions } from './shown-transactions.js'
export { groupsOf } from './slot-groups.js'
