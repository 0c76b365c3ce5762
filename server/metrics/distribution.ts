/** Upper bounds in seconds, six per power of ten: the error of a quantile is at most one fifth. */
export const fineBounds: readonly number[] = [-4, -3, -2, -1, 0].flatMap(power =>
  [1, 1.5, 2, 3, 5, 7].map(digit => Number(`${digit}e${power}`)),
)

/** Upper bounds in seconds, three per power of ten, for histograms with many label values. */
export const coarseBounds: readonly number[] = [-4, -3, -2, -1, 0].flatMap(power =>
  [1, 2, 5].map(digit => Number(`${digit}e${power}`)),
)

/** A histogram. Recording a value allocates nothing, so hot paths can call it. */
export class Distribution {
  /** Number of values in each bucket: above the previous bound and up to this one; the last bucket has no upper bound. */
  readonly counts: Float64Array
  sum = 0

  constructor(readonly bounds: readonly number[] = fineBounds) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  /** Records a value `times` times. Negative values, from a clock that was set back, count as 0. */
  observe(seconds: number, times = 1): void {
    const value = Math.max(seconds, 0)
    const { bounds } = this
    let i = 0
    // Linear from the lowest bound, because most measured times are short.
    while (i < bounds.length && value > (bounds[i] as number)) i++
    this.counts[i] = (this.counts[i] as number) + times
    this.sum += value * times
  }
}
