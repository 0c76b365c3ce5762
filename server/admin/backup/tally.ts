import { createHash } from 'node:crypto'

const lineFeed = 0x0a

/** Counts and digests bytes that are written or read. */
export class Tally {
  private readonly hash = createHash('sha256')
  private rows = 0
  private bytes = 0

  add(chunk: Uint8Array): void {
    this.hash.update(chunk)
    this.bytes += chunk.length
    // COPY writes a line feed at the end of each row, and escapes those within a value.
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) this.rows++
  }

  /** Passes chunks on. */
  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.add(chunk)
      yield chunk
    }
  }

  /** Must be called once, after the last chunk. */
  totals(): { rows: number; bytes: number; sha256: string } {
    return { rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') }
  }
}

/** The SHA-256 of a text, in hexadecimal digits. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
