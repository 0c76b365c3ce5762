/** What one request cost. */
export interface Cost {
  readonly size: number
  readonly requestBytes: number
  readonly cpuMs: number
  readonly answerBytes: number
  readonly status: number
}

/** Bounds of a request's cost, for the machine that the test runs on. */
export interface Bounds {
  /** CPU time in ms of an accepted request of the largest size. */
  readonly acceptedMs: number
  /** CPU time in ms of a request that is refused, beside that of reading its bytes. */
  readonly refusedMs: number
  /** CPU time in ms of reading 1 MB of a request. */
  readonly perMegabyteMs: number
  readonly answerBytes: number
}

// Ten times the size may cost ten times as much, and twice that for what else the process did meanwhile.
const mostGrowth = 20

/** What is wrong with the costs of growing requests, each ten times as large as the one before; null: nothing. */
export function complaintOf(costs: readonly Cost[], bounds: Bounds): string | null {
  const accepted = costs.filter(({ status }) => status < 400)
  const largest = accepted.at(-1)
  const before = accepted.at(-2)
  const tooLong = costs.find(({ answerBytes }) => answerBytes > bounds.answerBytes)
  if (tooLong) return `an answer of ${tooLong.answerBytes} bytes`
  if (largest && largest.cpuMs > bounds.acceptedMs) return `accepted for ${largest.cpuMs.toFixed(1)} ms`
  // Below a tenth of the bound the fixed part of a request hides its growth, and growth does no harm.
  if (largest && before && largest.cpuMs > bounds.acceptedMs / 10 && largest.cpuMs > before.cpuMs * mostGrowth) {
    return `grew from ${before.cpuMs.toFixed(1)} to ${largest.cpuMs.toFixed(1)} ms`
  }
  const refused = costs.find(
    ({ status, cpuMs, requestBytes }) => status >= 400 && cpuMs > refusalBound(requestBytes, bounds),
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
