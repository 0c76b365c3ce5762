/** JSON text as UTF-8 bytes, put together from bytes that are remembered and from texts that are new. */
export class JsonBuffer {
  #buffer: Buffer
  #length = 0

  /** `size`: bytes that it will probably be; more cost a copy. */
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
    // No character takes more than three bytes for each of its UTF-16 units.
    this.#makeRoom(text.length * 3)
    this.#length += this.#buffer.write(text, this.#length)
    return this
  }

  /** All of it. Nothing may be added any more. */
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
