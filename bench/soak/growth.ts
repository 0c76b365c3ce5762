interface Growth {
  /** Slope by least squares. */
  readonly perHour: number
  /** Growth over the observed time, */
  readonly amount: number
  /** and as a share of the mean. */
  readonly share: number
  /** Whether the slope differs from zero by more than its error. */
  readonly isCertain: boolean
}

type Point = readonly [minute: number, value: number]

// Values fluctuate with the traffic; means over long parts fluctuate less, and independently of each other.
const parts = 8
// Student's t for 95 % and six degrees of freedom.
const certain = 2.45

/** The growth of a value in the second half of the time; in the first half caches fill and bounds are reached. */
export function growthOf(points: readonly Point[]): Growth {
  const last = points.at(-1)?.[0] ?? 0
  const half = points.filter(([minute]) => minute >= last / 2)
  if (half.length < parts) return { perHour: 0, amount: 0, share: 0, isCertain: false }
  const means = Array.from({ length: parts }, (_, i): Point => {
    const part = half.slice(Math.floor((i * half.length) / parts), Math.floor(((i + 1) * half.length) / parts))
    return [mean(part.map(([minute]) => minute)), mean(part.map(([, value]) => value))]
  })
  const [x, y] = [mean(means.map(([minute]) => minute)), mean(means.map(([, value]) => value))]
  const spread = sum(means.map(([minute]) => (minute - x) ** 2))
  const slope = sum(means.map(([minute, value]) => (minute - x) * (value - y))) / spread
  const rest = sum(means.map(([minute, value]) => (value - y - slope * (minute - x)) ** 2))
  const error = Math.sqrt(rest / (parts - 2) / spread)
  const amount = slope * (last / 2)
  return {
    perHour: slope * 60,
    amount,
    share: y === 0 ? 0 : amount / y,
    isCertain: Math.abs(slope) > certain * error,
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
