/** Builds JSON as UTF-8 bytes from cached bytes and new text. */
export class JsonBuffer {
  #buffer: Buffer
  #length = 0

  /** `size`: the expected number of bytes; a larger result causes a copy. */
  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafeSlow(size)
  }

  bytes(bytes: Uint8Array): this {
    this.#makeRoom(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  text(text: string): this {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#makeRoom(text.length * 3)
    this.#length += this.#buffer.write(text, this.#length)
    return this
  }

  /** Returns the bytes; the buffer must not be used afterwards. */
  done(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + size, this.#buffer.length * 2))
    larger.set(this.done())
    this.#buffer = larger
  }
}
