import { setImmediate as later } from 'node:timers/promises'
import { type Backlog, Incomplete, type Page } from './backlog.js'
import type { Encoded } from './encodings.js'
import { emptyFrame, type FrameNode } from './frames.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import type { Queues } from './queues.js'
import type { PollReader, SocketReader } from './readers.js'

// One frame; a bigger one would hold up other sockets, and a slow socket's buffer holds about one.
export const maxFrameBytes = 64 * 1024
// One answer to a poll; who has more waiting asks again.
const maxAnswerBytes = 4 * 1024 * 1024

/** Gives readers what their queue holds for them, in turns of its own: never from inside a request's handler. */
export class Pump {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #backlog: Backlog
  readonly #lose: (queue: Queue, error: Error) => void
  #woken = new Set<Queue>()
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

  #turn(): void {
    const woken = this.#woken
    this.#woken = new Set()
    for (const queue of woken) {
      if (queue.reader?.kind === 'socket') void this.#catchUp(queue, queue.reader)
      else if (queue.reader && (!queue.isEmpty || queue.reader.dontBlock)) void this.answer(queue, queue.reader)
    }
    this.#root = emptyFrame()
  }

  /** Answers a poll with all that is due, possibly nothing. */
  async answer(queue: Queue, reader: PollReader): Promise<void> {
    if (reader.isReading) return
    reader.isReading = true
    try {
      const list: Encoded[] = []
      let upto = queue.acked
      for (let bytes = 0; upto < queue.last && bytes < maxAnswerBytes; ) {
        const read = this.#backlog.read(queue, upto, maxAnswerBytes - bytes)
        const page: Page = read instanceof Promise ? await read : read
        if (page.upto <= upto) break
        upto = page.upto
        for (const encoded of page.list) bytes += encoded.bytes
        list.push(...page.list)
      }
      if (queue.reader === reader) {
        queue.reader = null
        if (upto > queue.issued) queue.issued = upto
      }
      reader.answer(list.flatMap(encoded => encoded.json()))
    } catch (error) {
      this.#failed(queue, reader, error as Error)
    }
  }

  async #catchUp(queue: Queue, reader: SocketReader): Promise<void> {
    if (reader.isReading || reader.isLive) return
    reader.isReading = true
    try {
      while (queue.reader === reader && !reader.isFull) {
        if (queue.acked > reader.sent) reader.sent = queue.acked
        if (queue.isEmpty || reader.sent >= queue.last) {
          reader.isLive = true
          break
        }
        const read = this.#backlog.read(queue, reader.sent, maxFrameBytes)
        const page: Page = read instanceof Promise ? await read : read
        if (queue.reader !== reader) break
        // Going round for nothing would stop the whole process: better one client that comes again.
        if (page.upto <= reader.sent) throw new Error('a page without progress')
        if (page.list.length > 0) {
          let frame = this.#root
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
    if (!reader.consumer.send(frame.frame(reader.consumer.codec))) this.filled(reader, frame.id)
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
      this.#lose(queue, error)
      if (reader.kind === 'poll') reader.answer([])
      return
    }
    // Redis is away: the client asks again and finds its queue whole.
    this.#parts.log.warn({ error: String(error), queue: queue.id }, 'a queue could not be read')
    if (queue.reader === reader) this.#queues.endReader(queue, 'moved')
    else if (reader.kind === 'poll') reader.answer([])
  }
}
