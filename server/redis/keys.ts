/**
 * Every key in Redis. Keys that one Function uses together share a hash tag, so that they are on one node of a cluster; the keys
 * of queues have the tag of a group, so that queues are spread over the nodes.
 */
export interface Keys {
  /** Stream: every event of the organization once. */
  readonly feed: string
  /** Sorted set: outbox ids of the rows that are in the feed, scored by entry id. */
  readonly seen: string
  /** String: the run (process) of Redis for which workers last restored the feed, and until when publishing waits. */
  readonly run: string
  /** Hash: from worker id to checkpoint, the entry id up to which its queue logs are complete. Its fields are the workers. */
  readonly checkpoints: string
  /** Sorted set: user ids, scored by the id of their last presence update. */
  readonly presenceIds: string
  /** Hash: from user id to the times when the user was last active and last connected. */
  readonly presenceTimes: string
  /** Hash: from user id to the time when a user was last active who does not share its presence. */
  readonly unsharedTimes: string
  /** String that expires: the queue of an account that programs for Slack read, and how far. */
  slackPlace(userId: number): string
  /** String that expires: a file that a program for Slack has uploaded and not sent yet. */
  slackFile(userId: number, file: string): string
  /** Hash that expires: the length of a text that grows, when it last grew and was last shown, and why it has ended. */
  streamed(messageId: number): string
  /** String that expires: the text itself. */
  streamedText(messageId: number): string
  /** Sorted set: the times of limited attempts, for one kind and one caller. */
  attempts(kind: string, who: string): string
  /** String that expires: the account that a login token signs in. */
  /** Number: requests of one caller in a window of time. */
  requests(who: string, window: number): string
  /** String that expires: the worker's lease. */
  lease(worker: string): string
  /** Set: ids of the queues that the worker owns, possibly with some that it no longer owns. */
  queuesOf(worker: string): string
  /** Set that expires: ids of the users with a queue at the worker that receives messages. */
  receiversOf(worker: string): string
  /** The next set of `receiversOf`, while it is written. */
  nextReceiversOf(worker: string): string
  /** String that expires: the lock of a task that one worker at a time does. */
  lock(name: string): string
  /** Pub/Sub channel of a worker: takeovers and deletions of its queues, requests for descriptions. */
  channel(worker: string): string
  /** Prefix of the Pub/Sub channel on which a worker receives the entries that others append; the worker id follows it. */
  readonly entries: string
  /** The group of a queue. A group is on one node of a cluster, so work on many queues takes one call for each group. */
  groupOf(queue: string): string
  /** Stream: the queue log. */
  log(queue: string): string
  /** Hash: the queue's user, owner, epoch and options, and how far its log reaches. */
  meta(queue: string): string
}

// 512 groups spread well over dozens of nodes, and a worker with 10,000 queues still has about twenty in each group.
const groups = 512

export function keysOf(prefix: string, org: string): Keys {
  const feed = `${prefix}:feed:{${org}}`
  const workers = `${prefix}:workers:{${org}}`
  // Queue ids begin with random hexadecimal digits; any other text that a client sends gets a group, too.
  const groupOf = (queue: string) => `q${(Number.parseInt(queue.slice(0, 3), 16) || 0) % groups}`
  return {
    feed,
    seen: `${feed}:seen`,
    run: `${feed}:run`,
    checkpoints: `${workers}:checkpoints`,
    presenceIds: `${prefix}:presence:{${org}}:ids`,
    presenceTimes: `${prefix}:presence:{${org}}:times`,
    unsharedTimes: `${prefix}:presence:{${org}}:unshared`,
    slackPlace: userId => `${prefix}:slack:{${org}}:${userId}`,
    slackFile: (userId, file) => `${prefix}:slack:{${org}}:${userId}:file:${file}`,
    streamed: messageId => `${prefix}:streamed:{${org}}:${messageId}`,
    streamedText: messageId => `${prefix}:streamed:{${org}}:${messageId}:text`,
    attempts: (kind, who) => `${prefix}:attempts:{${org}}:${kind}:${who}`,
    requests: (who, window) => `${prefix}:requests:${org}:${who}:${window}`,
    lease: worker => `${workers}:lease:${worker}`,
    queuesOf: worker => `${workers}:queues:${worker}`,
    receiversOf: worker => `${workers}:receivers:${worker}`,
    nextReceiversOf: worker => `${workers}:receivers:${worker}:next`,
    lock: name => `${workers}:lock:${name}`,
    channel: worker => `${workers}:channel:${worker}`,
    entries: `${workers}:entries:`,
    groupOf,
    log: queue => `${prefix}:queue:{${groupOf(queue)}}:${queue}`,
    meta: queue => `${prefix}:queue:{${groupOf(queue)}}:${queue}:meta`,
  }
}
