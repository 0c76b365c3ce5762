import type { Readable } from 'node:stream'

/** The bytes of a file in a form. A chunk is valid until the reader asks for the next one. */
export class FileBytes implements AsyncIterable<Uint8Array> {
  private isChunkInUse = false
  private isLeft = false
  private settle: (() => void) | undefined

  constructor(private readonly file: Readable) {
    // It reaches the reader, which may have ended before.
    file.on('error', () => {})
  }

  /** Resolves when the reader has used all bytes that the parser has found so far, or reads no more. */
  used(): Promise<void> {
    return new Promise(resolve => {
      this.settle = resolve
      this.check()
    })
  }

  /** Nothing reads the file any more; the parser skips its remaining bytes. */
  leave(): void {
    this.isLeft = true
    this.file.resume()
    this.check()
  }

  /** Ends the file for its reader, with this error. */
  destroy(error: Error): void {
    this.file.destroy(error)
  }

  private check(): void {
    if (this.isLeft || (!this.isChunkInUse && this.file.readableLength === 0)) this.settle?.()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const { file } = this
    let wake = () => {}
    const look = () => wake()
    const events = ['readable', 'end', 'close']
    for (const event of events) file.on(event, look)
    try {
      while (!file.readableEnded) {
        if (file.errored) throw file.errored
        // The iterator of `file` itself is not used, because it does not show when its reader has used a chunk.
        this.isChunkInUse = true
        const chunk: Uint8Array | null = file.read()
        if (chunk) yield chunk
        else {
          this.isChunkInUse = false
          this.check()
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    } finally {
      for (const event of events) file.off(event, look)
      this.leave()
    }
  }
}
