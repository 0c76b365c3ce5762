import type { Entry } from './entry.js'

// Covers what a resume usually needs (a worker's death, a reconnect) at 2,000 events a second for some seconds.
const maxEntries = 16_384
// Of packed bytes; unpacked and encoded they take several times that.
const maxBytes = 16 * 1024 * 1024

/** The feed's newest entries, without a gap: polls, resumes and restores mostly need not ask Redis. */
export class Recent {
  readonly #entries = new Map<number, Entry>()
  #bytes = 0
  /** Every entry of the feed above this id, up to the newest, is here. */
  #start: number
  #newest: number

  /** `first`: what the feed ends with now, without a gap. */
  constructor(first: readonly Entry[]) {
    this.#start = this.#newest = first[0]?.previous ?? 0
    for (const entry of first) this.add(entry)
  }

  /** Everything after this id is in memory. */
  get start(): number {
    return this.#start
  }

  /** Id of the newest entry that this worker has read. */
  get newest(): number {
    return this.#newest
  }

  /** The next entry that this worker has read. After one that it has not, memory begins anew: it would have a gap. */
  add(entry: Entry): void {
    if (entry.previous > this.#newest) {
      this.#entries.clear()
      this.#bytes = 0
      this.#start = entry.previous
    }
    this.#entries.set(entry.id, entry)
    this.#bytes += entry.bytes.length
    this.#newest = entry.id
    // I5: bounded by number and by bytes.
    if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) break
      this.#entries.delete(oldest.id)
      this.#bytes -= oldest.bytes.length
      this.#start = oldest.id
    }
  }

  get(id: number): Entry | undefined {
    return this.#entries.get(id)
  }

  /** In feed order, those after `after` up to `upto`. */
  *between(after: number, upto: number): Generator<Entry> {
    for (const entry of this.#entries.values()) {
      if (entry.id > upto) return
      if (entry.id > after) yield entry
    }
  }
}
