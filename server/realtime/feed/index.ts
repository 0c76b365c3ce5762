/**
 * The feed: the organization's one stream of events in Redis, and how a worker writes and follows it.
 *
 * Guarantees: the publisher appends the events of this worker in the order of its calls, retries, and leaves to the outbox what it cannot
 * append in order. The tail passes each entry to its sink in feed order and without a gap, or with an entry whose `previous` shows the
 * gap (I1). The entry cache holds the newest entries without a gap, within bounds (I5). After a restart of Redis nothing is appended
 * before this worker has restored the entries that Redis lost (restart-detection.ts). A row leaves the outbox only when Redis can no
 * longer lose its entry.
 * Needs: an outbox (`Outbox`), and a sink for the entries (`EntrySink`; the delivery is one).
 */

export { EntryCache } from './entry-cache.js'
export { Feed, type NewEntry, type StreamEntry } from './feed.js'
export { feedIdBefore, feedIdOf, gapEnd, idStep, isFeedId } from './ids.js'
export { KnownRows } from './known-rows.js'
export { OutboxCleanup } from './outbox-cleanup.js'
export { type OutboxPage, Publisher } from './publisher.js'
export { RestartDetection } from './restart-detection.js'
export { type EntrySink, Tail } from './tail.js'
