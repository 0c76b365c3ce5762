import { budgets } from '../config/budgets.js'

interface HeldFrame {
  readonly bytes: ArrayBuffer
  readonly isBinary: boolean
}

// Small frames cost an object each, so their number is bounded too.
const maxFrames = 64

/** Frames that arrive while the key of their socket is checked. They are kept unread, because the key may be wrong. */
export class HeldFrames {
  private frames: HeldFrame[] = []
  private bytes = 0

  /** False: the frames exceed budgets.authFrameBytes together, or 64; the frame is not kept. */
  take(bytes: ArrayBuffer, isBinary: boolean): boolean {
    this.bytes += bytes.byteLength
    if (this.bytes > budgets.authFrameBytes.most || this.frames.length >= maxFrames) return false
    // uWebSockets frees the memory after this call.
    this.frames.push({ bytes: bytes.slice(0), isBinary })
    return true
  }

  /** Returns all frames in their order and forgets them. */
  release(): readonly HeldFrame[] {
    const { frames } = this
    this.frames = []
    return frames
  }
}
