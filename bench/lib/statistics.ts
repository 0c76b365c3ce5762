export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The value that this share of the values does not exceed; sorts in place. */
export function percentile(values: Float64Array, share: number): number {
  values.sort()
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] as number
}

/** The share of the machine that other processes used, over all runs of a measurement. */
export function othersShare(runs: readonly { readonly othersShare: number }[]): { median: number; most: number } {
  const shares = runs.map(run => run.othersShare)
  return shares.length > 0 ? { median: median(shares), most: Math.max(...shares) } : { median: 0, most: 0 }
}
