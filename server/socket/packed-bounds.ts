import { requireDepth, requireItems } from '../text/bounded-json.js'

/** The bytes are not exactly one MessagePack value of the kinds that the protocol uses. */
export class UnreadableBytes extends Error {}

/** What follows a token: a value of `bytes` bytes, or a length that is `width` bytes long. */
type Kind = { readonly bytes: number } | { readonly of: 'text' | 'array' | 'map'; readonly width: number }

// Tokens from 0xc0 on. Absent: 0xc1, binary data and extensions, which the protocol does not use.
const kinds: ReadonlyMap<number, Kind> = new Map([
  [0xc0, { bytes: 0 }],
  [0xc2, { bytes: 0 }],
  [0xc3, { bytes: 0 }],
  [0xca, { bytes: 4 }],
  [0xcb, { bytes: 8 }],
  [0xcc, { bytes: 1 }],
  [0xcd, { bytes: 2 }],
  [0xce, { bytes: 4 }],
  [0xcf, { bytes: 8 }],
  [0xd0, { bytes: 1 }],
  [0xd1, { bytes: 2 }],
  [0xd2, { bytes: 4 }],
  [0xd3, { bytes: 8 }],
  [0xd9, { of: 'text', width: 1 }],
  [0xda, { of: 'text', width: 2 }],
  [0xdb, { of: 'text', width: 4 }],
  [0xdc, { of: 'array', width: 2 }],
  [0xdd, { of: 'array', width: 4 }],
  [0xde, { of: 'map', width: 2 }],
  [0xdf, { of: 'map', width: 4 }],
])

/**
 * Checks the tokens of a MessagePack value without building it. Depth and values are counted as for JSON: for a map, its values without its
 * keys.
 * @throws {ApiError} BAD_REQUEST beyond budgets.jsonDepth or budgets.jsonItems
 * @throws {UnreadableBytes} for a length beyond the end, bytes behind the value, and kinds that the protocol does not use
 */
export function requirePackedBounds(bytes: Uint8Array): void {
  new Walk(bytes).run()
}

class Walk {
  private at = 0
  private items = 1
  /** Values still to be read in the innermost open array or map. */
  private left = 1
  /** The same count for each enclosing array and map. */
  private readonly outer: number[] = []

  constructor(private readonly bytes: Uint8Array) {}

  run(): void {
    while (this.left > 0 || this.outer.length > 0) {
      if (this.left === 0) this.left = this.outer.pop() as number
      else {
        this.left--
        this.value()
      }
    }
    if (this.at !== this.bytes.length) throw new UnreadableBytes()
  }

  private value(): void {
    const token = this.number(1)
    if (token < 0x80 || token >= 0xe0) return
    if (token < 0x90) this.open(token & 0x0f, 2)
    else if (token < 0xa0) this.open(token & 0x0f, 1)
    else if (token < 0xc0) this.skip(token & 0x1f)
    else this.longValue(kinds.get(token))
  }

  private longValue(kind: Kind | undefined): void {
    if (!kind) throw new UnreadableBytes()
    if ('bytes' in kind) this.skip(kind.bytes)
    else {
      const length = this.number(kind.width)
      if (kind.of === 'text') this.skip(length)
      else this.open(length, kind.of === 'map' ? 2 : 1)
    }
  }

  private open(entries: number, valuesEach: number): void {
    requireDepth(this.outer.length + 1)
    this.items += entries
    requireItems(this.items)
    // Each value takes at least one byte.
    if (entries * valuesEach > this.bytes.length - this.at) throw new UnreadableBytes()
    this.outer.push(this.left)
    this.left = entries * valuesEach
  }

  private number(width: number): number {
    const start = this.at
    this.skip(width)
    let number = 0
    for (let i = start; i < this.at; i++) number = number * 256 + (this.bytes[i] as number)
    return number
  }

  private skip(bytes: number): void {
    this.at += bytes
    if (this.at > this.bytes.length) throw new UnreadableBytes()
  }
}
