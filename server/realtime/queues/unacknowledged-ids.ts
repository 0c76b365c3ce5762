import { isFeedId } from '../feed/index.js'

// Ids that a queue keeps in memory; older ids are in the queue log only.
const maxInMemory = 512

/**
 * The ids of the events that a client has not acknowledged, ascending. The newest are in memory; older ones can be in the queue log only
 * (spilled). The array is reused, so a queue that is read costs no allocation per event.
 */
export class UnacknowledgedIds {
  // The fields that delivery reads come last, next to those of the queue.
  private _spilledUpto = 0
  /** Pages read back from the log: the last id of each page, and the number of ids in it. */
  private marks: { upto: number; count: number }[] = []
  /** The ids in memory, from #head to #tail. */
  private ids: number[] = []
  private head = 0
  private tail = 0
  /** Number of spilled ids; an estimate while some of them are acknowledged. */
  private spilled = 0

  /** Number of unacknowledged events; for those in the log only, an estimate. */
  get length(): number {
    return this.spilled + this.tail - this.head
  }

  get isEmpty(): boolean {
    return this.head === this.tail && this.spilled === 0
  }

  /** Highest id in the queue, or 0. */
  get last(): number {
    return this.head === this.tail ? (this.spilled > 0 ? this._spilledUpto : 0) : (this.ids[this.tail - 1] as number)
  }

  /** Lowest entry id in memory, or 0; heartbeats are skipped because they have no entry in the feed. */
  get firstInFeed(): number {
    let at = this.head
    while (at < this.tail && !isFeedId(this.ids[at] as number)) at++
    return at === this.tail ? 0 : (this.ids[at] as number)
  }

  /** Ids up to this one are in the queue log only; 0: none. */
  get spilledUpto(): number {
    return this.spilled > 0 ? this._spilledUpto : 0
  }

  append(id: number): void {
    if (this.head === this.tail) this.head = this.tail = 0
    if (this.tail < this.ids.length) this.ids[this.tail] = id
    else this.ids.push(id)
    this.tail++
  }

  /** Appends a heartbeat and replaces an unacknowledged one at the end: the queue keeps at most one. */
  appendHeartbeat(id: number): void {
    if (this.head < this.tail && !isFeedId(this.ids[this.tail - 1] as number)) this.tail--
    this.append(id)
  }

  /** At most `limit` ids in memory after the id `after`. */
  idsAfter(after: number, limit = Number.POSITIVE_INFINITY): number[] {
    let at = this.head
    // Searches from the end, because usually only few ids are new.
    if (after > 0) {
      at = this.tail
      while (at > this.head && (this.ids[at - 1] as number) > after) at--
    }
    return this.ids.slice(at, Math.min(this.tail, at + limit))
  }

  /** The lowest entry id in memory above `id`, or 0. */
  nextInFeed(id: number): number {
    let next = 0
    for (let i = this.tail - 1; i >= this.head && (this.ids[i] as number) > id; i--) {
      if (isFeedId(this.ids[i] as number)) next = this.ids[i] as number
    }
    return next
  }

  /** Whether the id is in memory. */
  has(id: number): boolean {
    for (let i = this.tail - 1; i >= this.head; i--) {
      const found = this.ids[i] as number
      if (found <= id) return found === id
    }
    return false
  }

  // I5: a queue keeps a bounded number of ids in memory; the others are in the queue log.
  /** Removes the oldest ids beyond the bound from memory, as far as the queue log holds them safely. */
  spill(inLog: number): void {
    while (this.tail - this.head > maxInMemory && (this.ids[this.head] as number) <= inLog) {
      const id = this.ids[this.head] as number
      this.head++
      if (!isFeedId(id)) continue
      this.spilled++
      this._spilledUpto = id
    }
    // Without this the array would never shrink.
    if (this.head > maxInMemory) this.shrink()
  }

  /** Notes a page of ids that was read back from the log, so that its acknowledgement reduces the count of spilled ids. */
  readBack(ids: readonly number[]): void {
    const upto = ids.at(-1) ?? 0
    const before = this.marks.at(-1)?.upto ?? 0
    // A page can repeat ids of the end of the previous page.
    if (upto > before) this.marks.push({ upto, count: ids.filter(id => id > before).length })
  }

  /** Replaces the ids in memory by `ids`, ascending; those up to `inLog` are in the queue log, too. */
  protected replaceIds(ids: readonly number[], inLog: number): void {
    this.ids = [...ids]
    this.head = 0
    this.tail = ids.length
    this.spill(inLog)
  }

  /** Removes everything up to this id. */
  protected removeUpto(id: number): void {
    while (this.head < this.tail && (this.ids[this.head] as number) <= id) this.head++
    if (this.spilled === 0) return
    while (this.marks[0] && this.marks[0].upto <= id) this.spilled -= this.marks.shift()?.count ?? 0
    if (id >= this._spilledUpto || this.spilled < 0) {
      this.spilled = id >= this._spilledUpto ? 0 : 1
      this.marks = []
    } else if (this.spilled === 0) this.spilled = 1
  }

  private shrink(): void {
    this.ids = this.ids.slice(this.head, this.tail)
    this.tail -= this.head
    this.head = 0
  }
}
