import type { Audience } from '../emission.js'
import { VarintReader, VarintWriter } from './varint.js'

// First byte of an encoded audience.
const sparse = 0
const dense = 1
const runs = 2

/**
 * Encodes user ids as the number of users and the shortest of three forms: a bitmap that starts at the first id, the distances
 * between ids, or runs of consecutive ids. An audience of up to 10,000 users takes at most 1.3 kB; nearly all 10,000 take a few bytes.
 */
export function encodeAudience(ids: Audience): Uint8Array {
  const first = ids[0]
  const last = ids[ids.length - 1]
  if (first === undefined || last === undefined) return new Uint8Array()
  const width = Math.floor((last - first) / 8) + 1
  // A run takes two to four bytes.
  if (Runs.count(ids) * 4 < Math.min(width, ids.length)) return encodeRuns(ids)
  return width <= ids.length ? encodeDense(ids, first, width) : encodeSparse(ids)
}

function encodeDense(ids: Audience, first: number, width: number): Uint8Array {
  const head = new VarintWriter()
  head.write(dense)
  head.write(ids.length)
  head.write(first)
  const start = head.bytes()
  const bytes = new Uint8Array(start.length + width)
  bytes.set(start)
  for (const id of ids) {
    const bit = id - first
    const at = start.length + (bit >> 3)
    bytes[at] = (bytes[at] as number) | (1 << (bit & 7))
  }
  return bytes
}

function encodeSparse(ids: Audience): Uint8Array {
  const writer = new VarintWriter()
  writer.write(sparse)
  writer.write(ids.length)
  let before = 0
  for (const id of ids) {
    writer.write(id - before)
    before = id
  }
  return writer.bytes()
}

function encodeRuns(ids: Audience): Uint8Array {
  const writer = new VarintWriter()
  writer.write(runs)
  writer.write(ids.length)
  Runs.write(writer, ids)
  return writer.bytes()
}

/** A decoded audience. Delivery calls its methods for each queue and event, so both are cheap. */
export class AudienceSet {
  readonly size: number
  private readonly first: number = 0
  private readonly bits: Uint8Array | null = null
  private readonly runs: Runs | null = null
  private _ids: Int32Array | null = null

  constructor(bytes: Uint8Array) {
    if (bytes.length === 0) {
      this.size = 0
      this._ids = new Int32Array()
      return
    }
    const reader = new VarintReader(bytes)
    const kind = reader.read()
    this.size = reader.read()
    if (kind === dense) {
      this.first = reader.read()
      this.bits = bytes.subarray(reader.position)
    } else if (kind === runs) {
      this.runs = Runs.read(reader)
    } else {
      const ids = new Int32Array(this.size)
      let id = 0
      for (let i = 0; i < this.size; i++) {
        id += reader.read()
        ids[i] = id
      }
      this._ids = ids
    }
  }

  has(id: number): boolean {
    if (this.bits) {
      const bit = id - this.first
      return bit >= 0 && bit < this.bits.length * 8 && ((this.bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0
    }
    return this.runs ? this.runs.has(id) : isIn(this.ids(), id)
  }

  /** The user ids, ascending. */
  ids(): Int32Array {
    this._ids ??= this.runs?.ids(this.size) ?? spread(this.bits as Uint8Array, this.first, this.size)
    return this._ids
  }
}

function spread(bits: Uint8Array, first: number, size: number): Int32Array {
  const ids = new Int32Array(size)
  let count = 0
  for (let at = 0; at < bits.length; at++) {
    const byte = bits[at] as number
    for (let bit = 0; byte >> bit !== 0; bit++) {
      if (byte & (1 << bit)) ids[count++] = first + at * 8 + bit
    }
  }
  return ids
}

function isIn(ids: Int32Array, id: number): boolean {
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = ids[middle] as number
    if (found === id) return true
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** User ids as runs of consecutive numbers: a channel to which nearly all users subscribe has few runs. */
class Runs {
  private constructor(
    /** First id of each run, ascending. */
    private readonly starts: Int32Array,
    /** Last id of each run. */
    private readonly ends: Int32Array,
  ) {}

  /** Number of runs; `ids` ascend without repeats. */
  static count(ids: readonly number[]): number {
    let count = ids.length > 0 ? 1 : 0
    for (let i = 1; i < ids.length; i++) if ((ids[i] as number) - (ids[i - 1] as number) > 1) count++
    return count
  }

  /** Writes the number of runs, then for each run the distance from the end of the previous run and the number of further ids. */
  static write(writer: VarintWriter, ids: readonly number[]): void {
    writer.write(Runs.count(ids))
    let before = 0
    for (let i = 0; i < ids.length; ) {
      const start = ids[i] as number
      let end = start
      for (i++; ids[i] === end + 1; i++) end++
      writer.write(start - before)
      writer.write(end - start)
      before = end
    }
  }

  static read(reader: VarintReader): Runs {
    const count = reader.read()
    const starts = new Int32Array(count)
    const ends = new Int32Array(count)
    let before = 0
    for (let i = 0; i < count; i++) {
      starts[i] = before + reader.read()
      before = (starts[i] as number) + reader.read()
      ends[i] = before
    }
    return new Runs(starts, ends)
  }

  has(id: number): boolean {
    let low = 0
    let high = this.starts.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      if (id < (this.starts[middle] as number)) high = middle - 1
      else if (id > (this.ends[middle] as number)) low = middle + 1
      else return true
    }
    return false
  }

  ids(size: number): Int32Array {
    const ids = new Int32Array(size)
    let count = 0
    for (let i = 0; i < this.starts.length; i++) {
      const end = this.ends[i] as number
      for (let id = this.starts[i] as number; id <= end; id++) ids[count++] = id
    }
    return ids
  }
}
