import type { Encoded } from './encodings.js'
import { emptyFrame, type FrameNode } from './frames.js'
import { maxFrameBytes, type Pump } from './pump.js'
import type { SocketReader } from './readers.js'
import { TurnShare } from './turn-share.js'

// So many sends take a fraction of a millisecond: the clock is not asked for each.
const sendsPerLook = 32
// A message goes one step between two shares: stored, published, told. What has come that far when a push ends goes with the next
// one in one frame: with shares of 4 ms 2.8 of eight messages in flight, with these 3.3.
const shareMilliseconds = 1

/** What live sockets get in this turn: one frame each, however many events are in it. */
export class Push {
  readonly #pump: Pump
  /** By number; 0 is the empty one. */
  #frames: FrameNode[] = [emptyFrame()]
  #readers: SocketReader[] = []

  constructor(pump: Pump) {
    this.#pump = pump
  }

  add(reader: SocketReader, encoded: Encoded): void {
    if (reader.frame === 0) this.#readers.push(reader)
    const frame = (this.#frames[reader.frame] as FrameNode).with(encoded)
    if (frame.bytes < maxFrameBytes) {
      if (frame.number === 0) frame.number = this.#frames.push(frame) - 1
      reader.frame = frame.number
    } else {
      reader.frame = 0
      this.#pump.send(reader, frame)
    }
  }

  /** A promise when it takes longer than others should have to wait; nothing may be added until it resolves. */
  flush(): Promise<void> | undefined {
    if (this.#readers.length === 0) return undefined
    const share = new TurnShare(shareMilliseconds)
    const next = this.#sendSome(0, share)
    if (next > 0) return this.#sendRest(next, share)
    return undefined
  }

  async #sendRest(from: number, share: TurnShare): Promise<void> {
    for (let next = from; next > 0; next = this.#sendSome(next, share)) await share.next()
  }

  /** From which reader to go on; 0: done. */
  #sendSome(from: number, share: TurnShare): number {
    const readers = this.#readers
    for (let i = from; i < readers.length; i++) {
      const reader = readers[i] as SocketReader
      // It has ended meanwhile, or was sent a frame that grew too large.
      if (reader.frame === 0) continue
      const frame = this.#frames[reader.frame] as FrameNode
      reader.frame = 0
      this.#pump.send(reader, frame)
      if (i % sendsPerLook === 0 && i > from && share.isUsedUp()) return i + 1
    }
    readers.length = 0
    this.#frames = [emptyFrame()]
    return 0
  }
}
