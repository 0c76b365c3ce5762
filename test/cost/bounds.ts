import type { Bounds } from './cost-rules.js'

// CPU time of the reference piece of work on the machine that the bounds below were chosen for.
const ownReferenceMs = 14

/**
 * Bounds for a machine that needs `referenceMs` for the reference piece of work. They are looser than what an idle machine shows (a
 * request at its limit below 100 ms, a refused one below 5 ms beside reading its bytes), because tests share their machine.
 */
export function boundsFor(referenceMs: number): Bounds {
  const slowness = Math.max(1, referenceMs / ownReferenceMs)
  return {
    withinMs: 150 * slowness,
    refusedMs: 15 * slowness,
    perMegabyteMs: 25 * slowness,
    answerBytes: 8_000_000,
  }
}
