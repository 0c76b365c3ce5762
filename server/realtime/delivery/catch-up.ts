import { setImmediate as later } from 'node:timers/promises'
import { logFailure } from '../../failures/log-failure.js'
import { emptyFrame, type FrameNode, maxFrameBytes } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Eviction, PollConsumer, Queue, Queues, SocketConsumer } from '../queues/index.js'
import { TimeSlice } from '../time-slice.js'
import { type Backlog, Incomplete, type Page } from './backlog.js'

// Bytes per answer to a poll; the client gets further events with its next poll.
const maxAnswerBytes = 4 * 1024 * 1024

/** The answer to a poll while it is being assembled. */
interface Due {
  frame: FrameNode
  /** The answer contains everything up to this id. */
  upto: number
}

/** Catch-up: sends consumers what their queues already hold, in its own turns of the event loop, never inside a request handler. */
export class CatchUp {
  private readonly woken = new Set<Queue>()
  /** The newest entry for which waiting polls were woken, until all of them are answered; 0: none. */
  private wokenFor = 0
  /** Root of this turn's tree of frames. */
  private root: FrameNode = emptyFrame()

  constructor(
    private readonly deps: EngineDeps,
    private readonly queues: Queues,
    private readonly backlog: Backlog,
    private readonly eviction: Eviction,
  ) {}

  /** Schedules delivery to the queue's consumer; events that arrive before the next turn go into the same frame. */
  wake(queue: Queue): void {
    if (this.woken.size === 0) setImmediate(() => this.turn())
    this.woken.add(queue)
  }

  /** As `wake`, for a poll that was waiting when this entry arrived. */
  wakeFor(queue: Queue, entryId: number): void {
    this.wokenFor = entryId
    this.wake(queue)
  }

  /** Serves woken queues for a slice of time, then yields: when thousands of clients reconnect at once, other work runs in between. */
  private turn(): void {
    const slice = new TimeSlice()
    for (const queue of this.woken) {
      this.woken.delete(queue)
      if (queue.consumer?.kind === 'socket') void this.catchUp(queue, queue.consumer)
      else if (queue.consumer && (!queue.isEmpty || queue.consumer.dontBlock)) this.answer(queue, queue.consumer)
      if (slice.isUsedUp()) break
    }
    this.root = emptyFrame()
    if (this.woken.size > 0) {
      setImmediate(() => this.turn())
      return
    }
    if (this.wokenFor === 0) return
    const { counts } = this.deps
    counts.toPolls.observe(counts.secondsSince(this.wokenFor, counts.clock.now()))
    this.wokenFor = 0
  }

  /** Answers a poll with the events of its queue, possibly none; synchronously if memory holds them, as for most polls. */
  private answer(queue: Queue, consumer: PollConsumer): void {
    if (consumer.isReading) return
    consumer.isReading = true
    const due: Due = { frame: this.root, upto: queue.acked }
    try {
      const reading = this.gather(queue, due)
      if (!reading) this.give(queue, consumer, due)
      else {
        reading.then(
          () => this.give(queue, consumer, due),
          error => this.failed(queue, consumer, error as Error),
        )
      }
    } catch (error) {
      this.failed(queue, consumer, error as Error)
    }
  }

  /** Polls that get the same events follow the same path in this turn's tree of frames, and so share the answer's bytes. */
  private gather(queue: Queue, due: Due): Promise<void> | undefined {
    while (due.upto < queue.last && due.frame.bytes < maxAnswerBytes) {
      const read = this.backlog.read(queue, due.upto, maxAnswerBytes - due.frame.bytes)
      if (read instanceof Promise) return read.then(page => (take(due, page) ? this.gather(queue, due) : undefined))
      if (!take(due, read)) break
    }
    return undefined
  }

  private give(queue: Queue, consumer: PollConsumer, { frame, upto }: Due): void {
    this.deps.counts.polled += frame.count
    if (queue.consumer === consumer) queue.answered(upto)
    consumer.answer(frame)
  }

  private async catchUp(queue: Queue, consumer: SocketConsumer): Promise<void> {
    if (consumer.isReading || consumer.isLive) return
    consumer.isReading = true
    // Sockets that catch up in the same turn share its tree of frames. After a wait the turn is over: frames added to a later tree
    // by this socket would stay in memory without use.
    let isInTurn = true
    try {
      while (queue.consumer === consumer && !consumer.isFull) {
        if (queue.acked > consumer.sent) consumer.sentUpto(queue.acked)
        if (queue.isEmpty || consumer.sent >= queue.last) {
          consumer.caughtUp()
          break
        }
        const read = this.backlog.read(queue, consumer.sent, maxFrameBytes)
        if (read instanceof Promise) isInTurn = false
        const page: Page = read instanceof Promise ? await read : read
        if (queue.consumer !== consumer) break
        // An endless loop would block the whole process; ending this one consumer is the smaller harm.
        if (page.upto <= consumer.sent) throw new Error('a page without progress')
        if (page.list.length > 0) {
          let frame = isInTurn ? this.root : emptyFrame()
          for (const encoded of page.list) frame = frame.with(encoded)
          consumer.send(frame, this.deps)
        }
        consumer.sentUpto(page.upto)
        if (read instanceof Promise) await later()
      }
    } catch (error) {
      this.failed(queue, consumer, error as Error)
    } finally {
      consumer.isReading = false
    }
  }

  private failed(queue: Queue, consumer: PollConsumer | SocketConsumer, error: Error): void {
    if (error instanceof Incomplete) {
      // Evicting the queue ends its current consumer; a consumer that was replaced during the read gets an empty answer here.
      if (queue.consumer !== consumer && consumer.kind === 'poll') consumer.answer(emptyFrame())
      this.eviction.evict(queue, error.message)
      return
    }
    // Redis is unavailable: the client retries and finds its queue complete.
    logFailure(this.deps, error, 'a queue could not be read', { queue: queue.id })
    if (queue.consumer === consumer) this.queues.endConsumer(queue, 'moved')
    else if (consumer.kind === 'poll') consumer.answer(emptyFrame())
  }
}

/** Adds a page to the answer. False: the page brought no progress. */
function take(due: Due, { list, upto }: Page): boolean {
  if (upto <= due.upto) return false
  due.upto = upto
  for (const encoded of list) due.frame = due.frame.with(encoded)
  return true
}
