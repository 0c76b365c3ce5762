/**
 * Every key of the event engine. What one Function touches together shares a hash tag, so that it lies on one node of a
 * cluster; queues have the tags of their groups, so that they spread.
 */
export interface Keys {
  /** Stream: every event of the organization once. */
  readonly feed: string
  /** Sorted set: outbox ids that are in the feed, by feed id. */
  readonly seen: string
  /** Text: which run of Redis the feed was last checked against. */
  readonly run: string
  /** Hash: worker id to the feed id up to which the logs of its queues are complete. Its fields are the workers. */
  readonly checkpoints: string
  /** Sorted set: users by the id of their last presence update. */
  readonly presenceIds: string
  /** Hash: user to when it was last active and last connected. */
  readonly presenceTimes: string
  /** Sorted set: when somebody tried something that may be tried only so often. */
  attempts(kind: string, who: string): string
  /** Number: requests of somebody in a window of time. */
  requests(who: string, window: number): string
  /** Text that expires: the worker lives. */
  lease(worker: string): string
  /** Set: ids of the queues that the worker owns, and maybe of some that it owned. */
  queuesOf(worker: string): string
  /** Text that expires: one worker at a time does this. */
  lock(name: string): string
  /** Channel on which a worker hears that its queues were taken over. */
  channel(worker: string): string
  /** Channel on which a worker hears what others append to the feed: this and its id. */
  readonly heard: string
  /** Queues of one group lie on one node of a cluster: what is done to many queues goes there in one call for each group. */
  groupOf(queue: string): string
  /** Stream: what the queue's client has not acknowledged. */
  log(queue: string): string
  /** Hash: who the queue belongs to and how far its log reaches. */
  meta(queue: string): string
}

// So many groups spread well over dozens of nodes, and a worker with 10,000 queues has twenty of each.
const groups = 512

export function keysOf(prefix: string, org: string): Keys {
  const feed = `${prefix}:feed:{${org}}`
  const workers = `${prefix}:workers:{${org}}`
  // Queue ids are random hexadecimal digits; any other text that a client makes up has a group, too.
  const groupOf = (queue: string) => `q${(Number.parseInt(queue.slice(0, 3), 16) || 0) % groups}`
  return {
    feed,
    seen: `${feed}:seen`,
    run: `${feed}:run`,
    checkpoints: `${workers}:checkpoints`,
    presenceIds: `${prefix}:presence:{${org}}:ids`,
    presenceTimes: `${prefix}:presence:{${org}}:times`,
    attempts: (kind, who) => `${prefix}:attempts:{${org}}:${kind}:${who}`,
    requests: (who, window) => `${prefix}:requests:${org}:${who}:${window}`,
    lease: worker => `${workers}:lease:${worker}`,
    queuesOf: worker => `${workers}:queues:${worker}`,
    lock: name => `${workers}:lock:${name}`,
    channel: worker => `${workers}:channel:${worker}`,
    heard: `${workers}:heard:`,
    groupOf,
    log: queue => `${prefix}:queue:{${groupOf(queue)}}:${queue}`,
    meta: queue => `${prefix}:queue:{${groupOf(queue)}}:${queue}:meta`,
  }
}
