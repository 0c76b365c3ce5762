/** Upper ends in seconds, six for each power of ten: quantiles read from them are off by a fifth at most. */
export const fineBounds: readonly number[] = [-4, -3, -2, -1, 0].flatMap(power =>
  [1, 1.5, 2, 3, 5, 7].map(digit => Number(`${digit}e${power}`)),
)

/** Upper ends in seconds, three for each power of ten: for what is told of many things beside each other. */
export const coarseBounds: readonly number[] = [-4, -3, -2, -1, 0].flatMap(power =>
  [1, 2, 5].map(digit => Number(`${digit}e${power}`)),
)

/** How many values fell between which bounds. Counted where the work is done: nothing is allocated for a value. */
export class Distribution {
  /** Of values up to each bound and above the one before; the last one has no bound. */
  readonly counts: Float64Array
  sum = 0

  constructor(readonly bounds: readonly number[] = fineBounds) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  /** `times` values of so many seconds. A clock that was set back makes no time negative. */
  observe(seconds: number, times = 1): void {
    const value = Math.max(seconds, 0)
    const { bounds } = this
    let i = 0
    // From below: what is measured here is nearly always short.
    while (i < bounds.length && value > (bounds[i] as number)) i++
    this.counts[i] = (this.counts[i] as number) + times
    this.sum += value * times
  }
}
