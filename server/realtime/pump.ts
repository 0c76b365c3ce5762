import { setImmediate as later } from 'node:timers/promises'
import { logFailure } from '../log-failure.js'
import { type Backlog, Incomplete, type Page } from './backlog.js'
import { emptyFrame, type FrameNode } from './frames.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { PollReader, SocketReader } from './readers.js'
import { TurnShare } from './turn-share.js'

// One frame; a bigger one would hold up other sockets, and a slow socket's buffer holds about one.
export const maxFrameBytes = 64 * 1024
// One answer to a poll; who has more waiting asks again.
const maxAnswerBytes = 4 * 1024 * 1024

/** What is put together for a poll. */
interface Due {
  frame: FrameNode
  /** Everything up to this id is in it. */
  upto: number
}

/** Gives readers what their queue holds for them, in turns of its own: never from inside a request's handler. */
export class Pump {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #backlog: Backlog
  readonly #lose: (queue: Queue, error: Error) => void
  readonly #woken = new Set<Queue>()
  /** The newest entry that polls which were waiting have been woken for, until all of them are answered; 0: none. */
  #wokenFor = 0
  /** Frames of this turn. */
  #root: FrameNode = emptyFrame()

  constructor(parts: Parts, queues: Queues, backlog: Backlog, lose: (queue: Queue, error: Error) => void) {
    this.#parts = parts
    this.#queues = queues
    this.#backlog = backlog
    this.#lose = lose
  }

  /** There is something for its reader. All that comes before the next turn goes together. */
  wake(queue: Queue): void {
    if (this.#woken.size === 0) setImmediate(() => this.#turn())
    this.#woken.add(queue)
  }

  /** As `wake`, for a poll that was waiting when this entry came. */
  wakeFor(queue: Queue, entryId: number): void {
    this.#wokenFor = entryId
    this.wake(queue)
  }

  /** When thousands come back at once, what else there is to do comes in between. */
  #turn(): void {
    const share = new TurnShare()
    for (const queue of this.#woken) {
      this.#woken.delete(queue)
      if (queue.reader?.kind === 'socket') void this.#catchUp(queue, queue.reader)
      else if (queue.reader && (!queue.isEmpty || queue.reader.dontBlock)) this.#answer(queue, queue.reader)
      if (share.isUsedUp()) break
    }
    this.#root = emptyFrame()
    if (this.#woken.size > 0) {
      setImmediate(() => this.#turn())
      return
    }
    if (this.#wokenFor === 0) return
    const { counts } = this.#parts
    counts.toPolls.observe(counts.secondsSince(this.#wokenFor, counts.clock.now()))
    this.#wokenFor = 0
  }

  /** Answers a poll with all that is due, possibly nothing. Without a promise where memory has it: most polls. */
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

  /** Pollers that are due the same walk the same path of this turn's frames, and so share the answer's bytes. */
  #gather(queue: Queue, due: Due): Promise<void> | undefined {
    while (due.upto < queue.last && due.frame.bytes < maxAnswerBytes) {
      const read = this.#backlog.read(queue, due.upto, maxAnswerBytes - due.frame.bytes)
      if (read instanceof Promise) return read.then(page => (take(due, page) ? this.#gather(queue, due) : undefined))
      if (!take(due, read)) break
    }
    return undefined
  }

  #give(queue: Queue, reader: PollReader, { frame, upto }: Due): void {
    this.#parts.counts.polled += frame.count
    if (queue.reader === reader) {
      queue.reader = null
      if (upto > queue.issued) queue.issued = upto
    }
    reader.answer(frame)
  }

  async #catchUp(queue: Queue, reader: SocketReader): Promise<void> {
    if (reader.isReading || reader.isLive) return
    reader.isReading = true
    // Those who catch up in one turn share its frames. Who had to wait has left it, and whatever it put there would stay.
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
        // Going round for nothing would stop the whole process: better one client that comes again.
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

  /** One frame; `frame` is the path of the events in it. */
  send(reader: SocketReader, frame: FrameNode): void {
    const { consumer } = reader
    const { counts } = this.#parts
    counts.frames++
    if (consumer.codec === 'json') counts.json += frame.count
    else counts.msgpack += frame.count
    if (!consumer.send(frame.frame(consumer.codec))) this.filled(reader, frame.id)
  }

  /** The socket has taken a frame and can take no more; `sent`: the id of its last event. */
  filled(reader: SocketReader, sent: number): void {
    reader.sent = sent
    reader.isLive = false
    reader.isFull = true
    reader.stalledSince = this.#parts.clock.now()
    reader.unsent = reader.consumer.buffered()
  }

  #failed(queue: Queue, reader: PollReader | SocketReader, error: Error): void {
    if (error instanceof Incomplete) {
      // Losing the queue tells whoever reads it.
      if (queue.reader !== reader && reader.kind === 'poll') reader.answer(emptyFrame())
      this.#lose(queue, error)
      return
    }
    // Redis is away: the client asks again and finds its queue whole.
    logFailure(this.#parts, error, 'a queue could not be read', { queue: queue.id })
    if (queue.reader === reader) this.#queues.endReader(queue, 'moved')
    else if (reader.kind === 'poll') reader.answer(emptyFrame())
  }
}

/** False: nothing came with it. */
function take(due: Due, { list, upto }: Page): boolean {
  if (upto <= due.upto) return false
  due.upto = upto
  for (const encoded of list) due.frame = due.frame.with(encoded)
  return true
}
