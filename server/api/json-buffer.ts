import type { JsonBuffers } from '../concurrency/json-buffers.js'

/** Builds JSON as UTF-8 bytes from cached bytes and new text. */
export class JsonBuffer {
  #buffer: Buffer
  #length = 0

  /** `size`: the expected number of bytes; a larger result causes a copy. */
  constructor(
    private readonly buffers: JsonBuffers,
    size: number,
  ) {
    this.#buffer = Buffer.from(buffers.take(size))
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

  /** Returns the bytes, for one answer; the buffer must not be used afterwards. */
  done(): Uint8Array {
    return this.buffers.lend(this.#buffer.buffer as ArrayBuffer, this.#length)
  }

  #makeRoom(size: number): void {
    if (this.#length + size <= this.#buffer.length) return
    const old = this.#buffer
    this.#buffer = Buffer.from(this.buffers.take(Math.max(this.#length + size, old.length * 2)))
    this.#buffer.set(old.subarray(0, this.#length))
    this.buffers.give(old.buffer as ArrayBuffer)
  }
}
