/** Encodes non-negative integers below 2^53 with seven bits per byte. */
export class VarintWriter {
  private readonly _bytes: number[] = []

  write(value: number): void {
    let rest = value
    while (rest >= 128) {
      this._bytes.push((rest % 128) | 128)
      rest = Math.floor(rest / 128)
    }
    this._bytes.push(rest)
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this._bytes)
  }
}

export class VarintReader {
  private at: number

  constructor(
    readonly bytes: Uint8Array,
    start = 0,
  ) {
    this.at = start
  }

  get position(): number {
    return this.at
  }

  get isDone(): boolean {
    return this.at >= this.bytes.length
  }

  /** @throws {RangeError} if the bytes end in the middle of a number. */
  read(): number {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw new RangeError('a number is cut off')
      value += (byte & 127) * unit
      if (byte < 128) return value
      unit *= 128
    }
  }
}
