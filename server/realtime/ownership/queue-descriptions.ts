import type { Queue } from '../queues/index.js'

/** A queue as its owner describes it to the operator. */
export interface QueueDescription {
  readonly queue_id: string
  readonly user_id: number
  /** Kind of the consumer; null: the queue has none. */
  readonly reader: 'socket' | 'poll' | null
  /** Events that its client has not acknowledged. */
  readonly waiting: number
  /** Seconds since the queue last had a consumer; 0 while it has one. */
  readonly idle_seconds: number
  /** The idle timeout. */
  readonly idle_limit_seconds: number
  /** Null: all types. */
  readonly event_types: readonly string[] | null
}

/** A part of a worker's answer to a request for descriptions of its queues. */
export interface QueueReport {
  readonly worker: string
  readonly queues: readonly QueueDescription[]
  /** This is the last part. */
  readonly isLast: boolean
}

// Queues per part; a part has some hundred kB.
const queuesTogether = 1000

/** The descriptions in parts, at least one. */
export function* reportsOf(worker: string, queues: readonly Queue[], now: number): Generator<QueueReport> {
  const live = queues.filter(queue => queue.state === 'live' || queue.state === 'loading')
  for (let at = 0; at === 0 || at < live.length; at += queuesTogether) {
    const part = live.slice(at, at + queuesTogether).map(queue => describe(queue, now))
    yield { worker, queues: part, isLast: at + queuesTogether >= live.length }
  }
}

function describe({ id, userId, consumer, length, idleSince, options }: Queue, now: number): QueueDescription {
  return {
    queue_id: id,
    user_id: userId,
    reader: consumer?.kind ?? null,
    waiting: length,
    idle_seconds: consumer ? 0 : Math.max(0, Math.round((now - idleSince) / 1000)),
    idle_limit_seconds: options.idleSeconds,
    event_types: options.eventTypes === null ? null : [...options.eventTypes].sort(),
  }
}
