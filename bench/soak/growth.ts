export interface Growth {
  /** By the line of least squares. */
  readonly perHour: number
  /** From the beginning of the time that is looked at to its end, as a share of the mean. */
  readonly share: number
  /** Within twice its standard error the slope may as well be none. */
  readonly isCertain: boolean
}

/** How a value grows over the second half of the time: until then caches fill, and bounds are reached. */
export function growthOf(points: readonly (readonly [minute: number, value: number])[]): Growth {
  const last = points.at(-1)?.[0] ?? 0
  const half = points.filter(([minute]) => minute >= last / 2)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(half.map(([minute]) => minute)), mean(half.map(([, value]) => value))]
  const spread = half.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0)
  if (half.length < 3 || spread === 0) return { perHour: 0, share: 0, isCertain: false }
  const slope = half.reduce((sum, [minute, value]) => sum + (minute - x) * (value - y), 0) / spread
  const rest = half.reduce((sum, [minute, value]) => sum + (value - y - slope * (minute - x)) ** 2, 0)
  const error = Math.sqrt(rest / (half.length - 2) / spread)
  return {
    perHour: slope * 60,
    share: y === 0 ? 0 : (slope * (last / 2)) / y,
    isCertain: Math.abs(slope) > 2 * error,
  }
}
