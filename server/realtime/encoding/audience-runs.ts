import type { VarintReader, VarintWriter } from './varint.js'

/** User ids as runs of consecutive numbers: a channel to which nearly all users subscribe has few runs. */
export class Runs {
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
