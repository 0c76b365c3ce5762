import { ApiError } from '../../../shared/errors.js'

/** Cuts a body into parts while it arrives. A body that breaks off ends its last part: the bytes before the break are kept. */
export class PartReader {
  /** Why the body broke off. */
  failure: unknown
  /** Time of performance.now() from which the body's next bytes are awaited; undefined: bytes are being stored. */
  waitingSince: number | undefined
  private readonly chunks: AsyncIterator<Uint8Array>
  private next: Uint8Array | undefined
  private isOver = false

  /** @param left bytes that the body may have */
  constructor(
    source: AsyncIterable<Uint8Array>,
    private left: number,
  ) {
    this.chunks = source[Symbol.asyncIterator]()
  }

  /** Waits for the first bytes of another part; false: the body has ended. */
  async hasMore(): Promise<boolean> {
    while (!this.next && !this.isOver) {
      this.waitingSince = performance.now()
      try {
        const { done, value } = await this.chunks.next()
        if (done) this.isOver = true
        else if (value.length > 0) this.next = value
      } catch (error) {
        this.failure = error
        this.isOver = true
      }
      this.waitingSince = undefined
    }
    return this.next !== undefined
  }

  /** The chunks of one part, which ends at the first chunk boundary from `size` bytes on. @throws {ApiError} REQUEST_TOO_LARGE */
  async *part(size: number): AsyncIterable<Uint8Array> {
    for (let bytes = 0; bytes < size && (await this.hasMore()); ) {
      const chunk = this.next as Uint8Array
      this.next = undefined
      this.left -= chunk.length
      if (this.left < 0) throw new ApiError('REQUEST_TOO_LARGE', 'These are more bytes than the upload has.')
      bytes += chunk.length
      yield chunk
    }
  }
}
