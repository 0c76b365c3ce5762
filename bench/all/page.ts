import type { Outcome } from './outcome.js'

export function pageOf(outcomes: readonly Outcome[]): string {
  return JSON.stringify(outcomes)
}
