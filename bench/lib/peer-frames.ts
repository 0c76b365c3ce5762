import type { FloorFrames } from './floor-process.js'

/** What a peer is given to publish, and answers: the same as the floor. */
export class PeerFrames {
  #held: FloorFrames = { frames: [], isBinary: false }
  #next = 0

  constructor() {
    process.on('message', (given: FloorFrames) => {
      this.#held = given
      process.send?.({ ok: true })
    })
    process.on('disconnect', () => process.exit(0))
  }

  get isBinary(): boolean {
    return this.#held.isBinary
  }

  /** In the order of the frames, whichever of several requests comes first; a run publishes each once. */
  next(): Uint8Array {
    const frame = this.#held.frames[this.#next++ % this.#held.frames.length]
    if (!frame) throw new Error('there is nothing to publish')
    return frame
  }

  listens(port: number): void {
    process.send?.({ port })
  }
}
