import { budgets } from '../../budgets.js'

interface HeldFrame {
  readonly bytes: ArrayBuffer
  readonly isBinary: boolean
}

// Small frames, too, cost an object each.
const maxFrames = 64

/** Frames that came while the key of their socket was looked up: kept as they came, since the key may be wrong. */
export class HeldFrames {
  private frames: HeldFrame[] = []
  private bytes = 0

  /** False: more than budgets.authFrameBytes together, or more than 64; the frame is not kept. */
  take(bytes: ArrayBuffer, isBinary: boolean): boolean {
    this.bytes += bytes.byteLength
    if (this.bytes > budgets.authFrameBytes.most || this.frames.length >= maxFrames) return false
    // The native memory is gone after this call.
    this.frames.push({ bytes: bytes.slice(0), isBinary })
    return true
  }

  /** All of them, in their order; they are not kept any longer. */
  release(): readonly HeldFrame[] {
    const { frames } = this
    this.frames = []
    return frames
  }
}
