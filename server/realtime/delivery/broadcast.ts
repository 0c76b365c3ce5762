import { type Encoded, emptyFrame, type FrameNode, maxFrameBytes } from '../encoding/index.js'
import type { EngineDeps } from '../engine-deps.js'
import type { SocketConsumer } from '../queues/index.js'
import { TimeSlice } from '../time-slice.js'

// Sends between two reads of the clock; they take a fraction of a millisecond.
const sendsPerLook = 32
// Other work runs between two shares of a broadcast, and a message advances one step there: insert, publish, tail. The entries that
// have arrived when a broadcast ends share the next frame: 3.3 of eight messages in flight with 1 ms, 2.8 with 4 ms.
const sliceMs = 1

/** The broadcast of one turn: each live socket gets one frame with all events for it. */
export class Broadcast {
  /** The frames of this turn by number; frame 0 is empty. */
  private frames: FrameNode[] = [emptyFrame()]
  private consumers: SocketConsumer[] = []

  constructor(private readonly deps: Pick<EngineDeps, 'counts' | 'clock'>) {}

  add(consumer: SocketConsumer, encoded: Encoded): void {
    if (consumer.frame === 0) this.consumers.push(consumer)
    const frame = (this.frames[consumer.frame] as FrameNode).with(encoded)
    if (frame.bytes < maxFrameBytes) {
      if (frame.number === 0) frame.number = this.frames.push(frame) - 1
      consumer.frame = frame.number
    } else {
      consumer.frame = 0
      consumer.send(frame, this.deps)
    }
  }

  /** Sends the frames. Returns a promise if that takes more than one slice of time; the caller adds nothing until it resolves. */
  flush(): Promise<void> | undefined {
    if (this.consumers.length === 0) return undefined
    const slice = new TimeSlice(sliceMs)
    const next = this.sendSome(0, slice)
    if (next > 0) return this.sendRest(next, slice)
    return undefined
  }

  private async sendRest(from: number, slice: TimeSlice): Promise<void> {
    for (let next = from; next > 0; next = this.sendSome(next, slice)) await slice.next()
  }

  /** Returns the index of the socket to continue with; 0: all are sent. */
  private sendSome(from: number, slice: TimeSlice): number {
    const consumers = this.consumers
    for (let i = from; i < consumers.length; i++) {
      const consumer = consumers[i] as SocketConsumer
      // The socket is detached, or its frame reached the size limit and was sent at once.
      if (consumer.frame === 0) continue
      const frame = this.frames[consumer.frame] as FrameNode
      consumer.frame = 0
      consumer.send(frame, this.deps)
      if (i % sendsPerLook === 0 && i > from && slice.isUsedUp()) return i + 1
    }
    consumers.length = 0
    this.frames = [emptyFrame()]
    return 0
  }
}
