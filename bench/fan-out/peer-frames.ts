import type { FloorFrames } from '../lib/floor-process.js'

/** The frames that a peer publishes, with the same commands as the floor. */
export class PeerFrames {
  #held: FloorFrames = { frames: [], isBinary: false }
  #next = 0

  constructor() {
    process.on('message', (given: FloorFrames) => {
      this.#held = given
      this.#next = 0
      process.send?.({ ok: true })
    })
    process.on('disconnect', () => process.exit(0))
  }

  get isBinary(): boolean {
    return this.#held.isBinary
  }

  /** Returns the frames in order, even for concurrent requests; a run publishes each frame once. */
  next(): Uint8Array {
    const frame = this.#held.frames[this.#next++ % this.#held.frames.length]
    if (!frame) throw new Error('there is nothing to publish')
    return frame
  }

  listens(port: number): void {
    process.send?.({ port })
  }
}
