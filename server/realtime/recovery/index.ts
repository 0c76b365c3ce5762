/**
 * Recovery: what must happen after a worker died, or after Redis lost data.
 *
 * Guarantees: rows that a dead worker left in the outbox are published, after all older rows; the queues of a dead worker are adopted,
 * so that the feed can be trimmed. After a restart of Redis the outbox is published again, every queue that memory holds completely is
 * written again, and all other queues are evicted: no client gets a gap (I1). One worker at a time does the common tasks (sweeper.ts).
 * Needs: the feed's restart detection (feed/restart-detection.ts), the lease and claims of the ownership, the queue logs.
 */

export { OutboxSweep } from './outbox-sweep.js'
export { Recovery } from './recovery.js'
export { Sweeper } from './sweeper.js'
