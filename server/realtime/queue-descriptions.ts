import type { Queue } from './queue.js'

/** A queue as its owner sees it: for whoever runs the server. */
export interface QueueDescription {
  readonly queue_id: string
  readonly user_id: number
  /** Who reads it now. */
  readonly reader: 'socket' | 'poll' | null
  /** Events that its client has not acknowledged. */
  readonly waiting: number
  /** Seconds since anybody read it; 0 while somebody does. */
  readonly idle_seconds: number
  /** After so many of them it is collected. */
  readonly idle_limit_seconds: number
  /** Null: all. */
  readonly event_types: readonly string[] | null
}

/** What a worker answers when it is asked for its queues, in pieces. */
export interface QueueReport {
  readonly worker: string
  readonly queues: readonly QueueDescription[]
  /** No piece comes behind this one. */
  readonly isLast: boolean
}

// A piece of some hundred kilobytes.
const queuesTogether = 1000

/** The queues in pieces, one at least. */
export function* reportsOf(worker: string, queues: readonly Queue[], now: number): Generator<QueueReport> {
  const live = queues.filter(queue => queue.state === 'live' || queue.state === 'loading')
  for (let at = 0; at === 0 || at < live.length; at += queuesTogether) {
    const piece = live.slice(at, at + queuesTogether).map(queue => describe(queue, now))
    yield { worker, queues: piece, isLast: at + queuesTogether >= live.length }
  }
}

function describe({ id, userId, reader, length, idleSince, options }: Queue, now: number): QueueDescription {
  return {
    queue_id: id,
    user_id: userId,
    reader: reader?.kind ?? null,
    waiting: length,
    idle_seconds: reader ? 0 : Math.max(0, Math.round((now - idleSince) / 1000)),
    idle_limit_seconds: options.idleSeconds,
    event_types: options.eventTypes === null ? null : [...options.eventTypes].sort(),
  }
}
