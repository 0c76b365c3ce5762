import { growing, merge, type Reading } from './reading.js'

/** What one worker has told. */
export interface WorkerReadings {
  /** Its place on this machine, from 1 on: the one that takes the place of a dead one has its number. */
  readonly worker: string
  readonly readings: readonly Reading[]
}

/** The figures of all workers of one machine at one moment. */
export interface MachineReadings {
  readonly workers: readonly WorkerReadings[]
  /** All of them together, with what those counted that are gone. */
  readonly whole: readonly Reading[]
}

/**
 * Joins what workers told. `before`: what workers counted that are gone, and what those counted up to their last answer that
 * do not answer now: otherwise a sum that must only grow would fall.
 */
export function machineReadings(
  workers: readonly WorkerReadings[],
  before: readonly (readonly Reading[])[],
  own: readonly Reading[],
): MachineReadings {
  const told = workers.map(({ readings }) => readings)
  return { workers, whole: merge([...told, ...before.map(growing), own]) }
}
