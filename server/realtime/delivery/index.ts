/**
 * Delivery: from the entries that the tail reads to the consumers of this worker's queues.
 *
 * Guarantees: each entry is appended to every queue of its audience on this worker, once and in order (I1), and to no other queue (I2).
 * A live socket gets the new entries of one turn in one frame; other consumers get everything that their queues hold, page by page. A
 * stalled socket is closed and its queue stays; a queue that is too long, idle or incomplete is evicted (I5).
 * Needs: an opened queue for each consumer (ownership).
 */

export { Backlog } from './backlog.js'
export { CatchUp } from './catch-up.js'
export { Consumers } from './consumers.js'
export { Delivery } from './delivery.js'
export { Heartbeats } from './heartbeats.js'
export { QueueMaintenance } from './queue-maintenance.js'
