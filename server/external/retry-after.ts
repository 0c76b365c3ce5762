const shortestMs = 1_000
const longestMs = 3_600_000

/** The time of the header `Retry-After` in ms: seconds, or a date; from a second to an hour. Undefined: there is none that can be read. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.min(longestMs, Math.max(shortestMs, ms))
}
