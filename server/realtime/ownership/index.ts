/**
 * Ownership: which worker owns a queue, and how that changes. opening.ts is the sequence: claim, takeover, backfill, check, acknowledge.
 *
 * Guarantees: an opened queue is owned by this worker, live, and complete after the client's last event id (I1). Only the queue's user
 * can open it (I2). Any worker can open any queue of a live or dead worker (I6). Two workers that claim a queue at once both get an
 * answer; the one with the higher epoch owns it. A worker without a lease is dead, and its queues can be adopted.
 * Needs: the queues, the feed for the backfill.
 */

export { Backfill } from './backfill.js'
export { Claims } from './claims.js'
export { deleteQueue } from './delete-queue.js'
export { DirectoryRecall } from './directory-recall.js'
export { EventIdCheck } from './event-id-check.js'
export { Lease, livingWorkers, newWorkerId } from './lease.js'
export { Opening } from './opening.js'
export type { QueueDescription, QueueReport } from './queue-descriptions.js'
export { type WorkerMessage, WorkerMessages } from './worker-messages.js'
