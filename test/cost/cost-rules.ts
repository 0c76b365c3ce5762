/** What one request cost. */
export interface Cost {
  readonly size: number
  readonly requestBytes: number
  readonly cpuMs: number
  readonly answerBytes: number
  readonly status: number
  /** Whether the size is beyond what may be accepted: such a request is refused before any work for it. */
  readonly isBeyond: boolean
}

/** Bounds of a request's cost, for the machine that the test runs on. */
export interface Bounds {
  /** CPU time in ms of a request of the largest size within the budget, accepted or refused. */
  readonly withinMs: number
  /** CPU time in ms of a request beyond the budget, beside that of reading its bytes. */
  readonly refusedMs: number
  /** CPU time in ms of reading 1 MB of a request. */
  readonly perMegabyteMs: number
  readonly answerBytes: number
}

// In proportion, and twice that for what else the process did meanwhile.
const growthBound = (before: Cost, after: Cost) => 2 * (after.size / before.size)

/** What is wrong with the costs of growing requests; null: nothing. */
export function complaintOf(costs: readonly Cost[], bounds: Bounds): string | null {
  const within = costs.filter(({ isBeyond, status }) => !isBeyond || status < 400)
  const largest = within.at(-1)
  const before = within.at(-2)
  const tooLong = costs.find(({ answerBytes }) => answerBytes > bounds.answerBytes)
  if (tooLong) return `an answer of ${tooLong.answerBytes} bytes`
  const tooSlow = within.find(({ cpuMs }) => cpuMs > bounds.withinMs)
  if (tooSlow) return `${tooSlow.cpuMs.toFixed(1)} ms for a size of ${tooSlow.size}`
  // Below a third of the bound the fixed part of a request hides its growth, and growth does no harm.
  if (
    largest &&
    before &&
    largest.cpuMs > bounds.withinMs / 3 &&
    largest.cpuMs > before.cpuMs * growthBound(before, largest)
  ) {
    return `grew from ${before.cpuMs.toFixed(1)} to ${largest.cpuMs.toFixed(1)} ms`
  }
  const refused = costs.find(
    ({ status, cpuMs, requestBytes, isBeyond }) =>
      isBeyond && status >= 400 && cpuMs > refusalBound(requestBytes, bounds),
  )
  return refused ? `refused for ${refused.cpuMs.toFixed(1)} ms` : null
}

const refusalBound = (bytes: number, { refusedMs, perMegabyteMs }: Bounds) => refusedMs + (bytes / 1e6) * perMegabyteMs

/** The smaller cost of each size in two runs: other work of the machine and of the process only ever adds. */
export function smallerOf(one: readonly Cost[], other: readonly Cost[]): Cost[] {
  return one.map((cost, i) => {
    const again = other[i]
    return again && again.status === cost.status && again.cpuMs < cost.cpuMs ? again : cost
  })
}
