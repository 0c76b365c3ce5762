import type { Bounds } from './cost-rules.js'

/** Bounds for a machine that is `slowness` times slower than the one they were chosen for. On an idle machine most costs are far below them. */
export function boundsFor(slowness: number): Bounds {
  return {
    withinMs: 100 * slowness,
    refusedMs: 5 * slowness,
    perMegabyteMs: 50 * slowness,
    answerBytes: 8_000_000,
  }
}
