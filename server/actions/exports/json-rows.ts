const initialBytes = 256 * 1024

/** JSON texts in the form of an array, as bytes in one buffer that is used again: thousands of strings that stay for a while would fill the memory. */
export class JsonRows {
  count = 0
  private buffer = Buffer.allocUnsafe(initialBytes)
  private used = 0

  add(text: string): void {
    const row = this.count === 0 ? text : `,\n${text}`
    // UTF-8 takes at most three bytes for each unit of a string.
    this.reserve(row.length * 3)
    this.used += this.buffer.write(row, this.used)
    this.count++
  }

  /** Good until the next row is added. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.used)
  }

  clear(): void {
    this.count = 0
    this.used = 0
  }

  private reserve(more: number): void {
    if (this.used + more <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.used + more, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.used)
    this.buffer = larger
  }
}
