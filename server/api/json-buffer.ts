import type { JsonBuffers } from '../concurrency/json-buffers.js'

const [openingBracket, comma, zero] = [0x5b, 0x2c, 0x30]
const mostIn31Bits = 2 ** 31 - 1

/** Builds JSON as UTF-8 bytes from cached bytes and new text. */
export class JsonBuffer {
  private buffer: Buffer
  private length = 0

  /** `size`: the expected number of bytes; a larger result causes a copy. */
  constructor(
    private readonly buffers: JsonBuffers,
    size: number,
  ) {
    this.buffer = Buffer.from(buffers.take(size))
  }

  bytes(bytes: Uint8Array): this {
    this.makeRoom(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
    return this
  }

  /** One character of ASCII. */
  byte(code: number): this {
    this.makeRoom(1)
    this.buffer[this.length++] = code
    return this
  }

  text(text: string): this {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.makeRoom(text.length * 3)
    this.length += this.buffer.write(text, this.length)
    return this
  }

  /** Elements of the array that was opened last: ascending whole numbers of at least 0, from position `from` to below `to`. */
  elements(numbers: readonly number[], from: number, to: number): this {
    if (from >= to) return this
    this.makeRoom((to - from) * (String(numbers[to - 1]).length + 1))
    const buffer = this.buffer
    let end = this.length
    let digits = 1
    let power = 10
    for (let i = from; i < to; i++) {
      const number = numbers[i] as number
      if (buffer[end - 1] !== openingBracket) buffer[end++] = comma
      for (; power <= number; power *= 10) digits++
      end += digits
      if (number <= mostIn31Bits) writeDigits(buffer, end, number, digits)
      else buffer.write(String(number), end - digits, 'latin1')
    }
    this.length = end
    return this
  }

  /** Returns the bytes, for one answer; the buffer must not be used afterwards. */
  done(): Uint8Array {
    return this.buffers.lend(this.buffer.buffer as ArrayBuffer, this.length)
  }

  private makeRoom(size: number): void {
    if (this.length + size <= this.buffer.length) return
    const old = this.buffer
    this.buffer = Buffer.from(this.buffers.take(Math.max(this.length + size, old.length * 2)))
    this.buffer.set(old.subarray(0, this.length))
    this.buffers.give(old.buffer as ArrayBuffer)
  }
}

/** Writes a number before position `end`, without making a text of it, which would take most of the time of a long list. */
function writeDigits(buffer: Buffer, end: number, number: number, digits: number): void {
  let rest = number
  for (let position = end - 1; position >= end - digits; position--) {
    const next = (rest / 10) | 0
    buffer[position] = zero + rest - next * 10
    rest = next
  }
}
