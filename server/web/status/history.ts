import { type Point, pointOf } from './point.js'
import { Snapshot, type Source, type StatusData } from './snapshot.js'

// Number of answers, one per second: five minutes.
const kept = 300
// Number of answers over which delays are computed.
const window = 5

/** The answers of the last minutes. */
export class History {
  private answers: StatusData[] = []

  add(data: StatusData): void {
    this.answers = [...this.answers.slice(1 - kept - window), data]
  }

  get latest(): StatusData | undefined {
    return this.answers.at(-1)
  }

  /** Times in seconds since the epoch, and the source's point at each. */
  of(source: Source): { times: number[]; points: Point[] } {
    const times: number[] = []
    const points: Point[] = []
    const all = this.answers.map(data => Snapshot.of(data, source))
    for (let i = 1; i < all.length; i++) {
      const [now, last] = [all[i], all[i - 1]]
      times.push((this.answers[i] as StatusData).time / 1000)
      const before = all[Math.max(0, i - window)] ?? last
      points.push(now && last && before ? pointOf(now, last, before) : {})
    }
    return { times: times.slice(-kept), points: points.slice(-kept) }
  }
}
