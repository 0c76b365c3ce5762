import type { Bounds } from './cost-rules.js'

// CPU time of the reference piece of work on the machine that the bounds below were chosen for.
const ownReferenceMs = 14

/**
 * Bounds for a machine that needs `referenceMs` for the reference piece of work. On an idle machine most costs are far
 * below them.
 */
export function boundsFor(referenceMs: number): Bounds {
  const slowness = Math.max(1, referenceMs / ownReferenceMs)
  return {
    withinMs: 100 * slowness,
    refusedMs: 5 * slowness,
    perMegabyteMs: 50 * slowness,
    answerBytes: 8_000_000,
  }
}
