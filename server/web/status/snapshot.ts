/** One figure in the answer of `/status/data`. */
export interface Reading {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  readonly counts?: readonly number[]
}

/** The answer of `/status/data`: the sum of all workers, and each worker. */
export interface StatusData {
  /** Milliseconds since the epoch, from the server's clock. */
  readonly time: number
  /** Upper bounds of the buckets of each histogram, in seconds. */
  readonly bounds: Readonly<Record<string, readonly number[]>>
  readonly whole: readonly Reading[]
  readonly workers: readonly { readonly worker: string; readonly readings: readonly Reading[] }[]
}

/** All workers together, or the number of one worker. */
export type Source = 'all' | string

/** The figures of one source at one moment. */
export class Snapshot {
  constructor(
    readonly time: number,
    private readonly bounds: StatusData['bounds'],
    private readonly readings: readonly Reading[],
  ) {}

  /** Undefined if the worker has not answered. */
  static of({ time, bounds, whole, workers }: StatusData, source: Source): Snapshot | undefined {
    const readings = source === 'all' ? whole : workers.find(({ worker }) => worker === source)?.readings
    return readings && new Snapshot(time, bounds, readings)
  }

  /** The sum over all labels that are not given; undefined without data. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const found = this.find(name, labels)
    return found.length === 0 ? undefined : found.reduce((sum, one) => sum + one.value, 0)
  }

  /** The growth per second since `before`; a restarted worker counts from zero. */
  rate(name: string, before: Snapshot): number | undefined {
    const [now, then] = [this.value(name), before.value(name)]
    const seconds = (this.time - before.time) / 1000
    if (now === undefined || then === undefined || seconds <= 0) return undefined
    return Math.max(0, now - then) / seconds
  }

  /** The quantile `part` of the values since `before`, in seconds; undefined if there are none. */
  quantile(name: string, part: number, before: Snapshot): number | undefined {
    const bounds = this.bounds[name] ?? []
    const counts = this.grown(name, before)
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (total === 0) return undefined
    const wanted = total * part
    let seen = 0
    for (const [i, count] of counts.entries()) {
      if (seen + count >= wanted && count > 0) {
        const [low, high] = [bounds[i - 1] ?? 0, bounds[i] ?? bounds.at(-1) ?? 0]
        return low + ((high - low) * (wanted - seen)) / count
      }
      seen += count
    }
    return bounds.at(-1)
  }

  /** Mean of the values since `before`, in seconds. */
  mean(name: string, before: Snapshot): number | undefined {
    const count = this.grown(name, before).reduce((sum, one) => sum + one, 0)
    const sum = (this.value(name) ?? 0) - (before.value(name) ?? 0)
    return count > 0 && sum >= 0 ? sum / count : undefined
  }

  private grown(name: string, before: Snapshot): number[] {
    const [now, then] = [this.counts(name), before.counts(name)]
    return now.map((count, i) => Math.max(0, count - (then[i] ?? 0)))
  }

  private counts(name: string): number[] {
    const all = this.find(name, {}).flatMap(({ counts }) => (counts ? [counts] : []))
    return (all[0] ?? []).map((_, i) => all.reduce((sum, counts) => sum + (counts[i] ?? 0), 0))
  }

  private find(name: string, labels: Record<string, string>): readonly Reading[] {
    return this.readings.filter(
      one => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )
  }
}
