import { setImmediate as later } from 'node:timers/promises'
import { logFailure } from '../../failures/log-failure.js'
import { emptyFrame, type FrameNode } from '../encoding/frames.js'
import type { EngineDeps } from '../engine-deps.js'
import type { Eviction } from '../queues/eviction.js'
import type { Queue } from '../queues/queue.js'
import type { Queues } from '../queues/queues.js'
import type { PollReader, SocketReader } from '../queues/readers.js'
import { TimeSlice } from '../time-slice.js'
import { type Backlog, Incomplete, type Page } from './backlog.js'

// Bytes per frame: a larger frame would delay other sockets, and the buffer of a slow socket holds about one frame.
export const maxFrameBytes = 64 * 1024
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
  readonly #deps: EngineDeps
  readonly #queues: Queues
  readonly #backlog: Backlog
  readonly #eviction: Eviction
  readonly #woken = new Set<Queue>()
  /** The newest entry for which waiting polls were woken, until all of them are answered; 0: none. */
  #wokenFor = 0
  /** Root of this turn's tree of frames. */
  #root: FrameNode = emptyFrame()

  constructor(deps: EngineDeps, queues: Queues, backlog: Backlog, eviction: Eviction) {
    this.#deps = deps
    this.#queues = queues
    this.#backlog = backlog
    this.#eviction = eviction
  }

  /** Schedules delivery to the queue's consumer; events that arrive before the next turn go into the same frame. */
  wake(queue: Queue): void {
    if (this.#woken.size === 0) setImmediate(() => this.#turn())
    this.#woken.add(queue)
  }

  /** As `wake`, for a poll that was waiting when this entry arrived. */
  wakeFor(queue: Queue, entryId: number): void {
    this.#wokenFor = entryId
    this.wake(queue)
  }

  /** Serves woken queues for a slice of time, then yields: when thousands of clients reconnect at once, other work runs in between. */
  #turn(): void {
    const slice = new TimeSlice()
    for (const queue of this.#woken) {
      this.#woken.delete(queue)
      if (queue.reader?.kind === 'socket') void this.#catchUp(queue, queue.reader)
      else if (queue.reader && (!queue.isEmpty || queue.reader.dontBlock)) this.#answer(queue, queue.reader)
      if (slice.isUsedUp()) break
    }
    this.#root = emptyFrame()
    if (this.#woken.size > 0) {
      setImmediate(() => this.#turn())
      return
    }
    if (this.#wokenFor === 0) return
    const { counts } = this.#deps
    counts.toPolls.observe(counts.secondsSince(this.#wokenFor, counts.clock.now()))
    this.#wokenFor = 0
  }

  /** Answers a poll with the events of its queue, possibly none; synchronously if memory holds them, as for most polls. */
  #answer(queue: Queue, reader: PollReader): void {
    if (reader.isReading) return
    reader.isReading = true
    const due: Due = { frame: this.#root, upto: queue.acked }
    try {
      const reading = this.#gather(queue, due)
      if (!reading) this.#give(queue, reader, due)
      else {
        reading.then(
          () => this.#give(queue, reader, due),
          error => this.#failed(queue, reader, error as Error),
        )
      }
    } catch (error) {
      this.#failed(queue, reader, error as Error)
    }
  }

  /** Polls that get the same events follow the same path in this turn's tree of frames, and so share the answer's bytes. */
  #gather(queue: Queue, due: Due): Promise<void> | undefined {
    while (due.upto < queue.last && due.frame.bytes < maxAnswerBytes) {
      const read = this.#backlog.read(queue, due.upto, maxAnswerBytes - due.frame.bytes)
      if (read instanceof Promise) return read.then(page => (take(due, page) ? this.#gather(queue, due) : undefined))
      if (!take(due, read)) break
    }
    return undefined
  }

  #give(queue: Queue, reader: PollReader, { frame, upto }: Due): void {
    this.#deps.counts.polled += frame.count
    if (queue.reader === reader) {
      queue.reader = null
      if (upto > queue.issued) queue.issued = upto
    }
    reader.answer(frame)
  }

  async #catchUp(queue: Queue, reader: SocketReader): Promise<void> {
    if (reader.isReading || reader.isLive) return
    reader.isReading = true
    // Sockets that catch up in the same turn share its tree of frames. After a wait the turn is over: frames added to a later tree
    // by this socket would stay in memory without use.
    let isInTurn = true
    try {
      while (queue.reader === reader && !reader.isFull) {
        if (queue.acked > reader.sent) reader.sent = queue.acked
        if (queue.isEmpty || reader.sent >= queue.last) {
          reader.isLive = true
          break
        }
        const read = this.#backlog.read(queue, reader.sent, maxFrameBytes)
        if (read instanceof Promise) isInTurn = false
        const page: Page = read instanceof Promise ? await read : read
        if (queue.reader !== reader) break
        // An endless loop would block the whole process; ending this one consumer is the smaller harm.
        if (page.upto <= reader.sent) throw new Error('a page without progress')
        if (page.list.length > 0) {
          let frame = isInTurn ? this.#root : emptyFrame()
          for (const encoded of page.list) frame = frame.with(encoded)
          this.send(reader, frame)
        }
        reader.sent = page.upto
        if (read instanceof Promise) await later()
      }
    } catch (error) {
      this.#failed(queue, reader, error as Error)
    } finally {
      reader.isReading = false
    }
  }

  /** Sends one frame; `frame` is the path of its events. */
  send(reader: SocketReader, frame: FrameNode): void {
    const { consumer } = reader
    const { counts } = this.#deps
    counts.frames++
    if (consumer.codec === 'json') counts.json += frame.count
    else counts.msgpack += frame.count
    if (!consumer.send(frame.frame(consumer.codec))) this.filled(reader, frame.id)
  }

  /** Notes that the socket's buffer is full after a frame whose last event has the id `sent`. */
  filled(reader: SocketReader, sent: number): void {
    reader.sent = sent
    reader.isLive = false
    reader.isFull = true
    reader.stalledSince = this.#deps.clock.now()
    reader.unsent = reader.consumer.buffered()
  }

  #failed(queue: Queue, reader: PollReader | SocketReader, error: Error): void {
    if (error instanceof Incomplete) {
      // Evicting the queue ends its current consumer; a consumer that was replaced during the read gets an empty answer here.
      if (queue.reader !== reader && reader.kind === 'poll') reader.answer(emptyFrame())
      this.#eviction.evict(queue, error.message)
      return
    }
    // Redis is unavailable: the client retries and finds its queue complete.
    logFailure(this.#deps, error, 'a queue could not be read', { queue: queue.id })
    if (queue.reader === reader) this.#queues.endReader(queue, 'moved')
    else if (reader.kind === 'poll') reader.answer(emptyFrame())
  }
}

/** Adds a page to the answer. False: the page brought no progress. */
function take(due: Due, { list, upto }: Page): boolean {
  if (upto <= due.upto) return false
  due.upto = upto
  for (const encoded of list) due.frame = due.frame.with(encoded)
  return true
}
