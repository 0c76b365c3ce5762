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
 * Joins what workers told. `gone`: of those that have ended, what they counted stays, otherwise a sum that must only grow would
 * fall. `more`: what else belongs to the whole.
 */
export function machineReadings(
  workers: readonly WorkerReadings[],
  gone: readonly Reading[],
  more: readonly Reading[],
): MachineReadings {
  const told = workers.map(({ readings }) => readings)
  return { workers, whole: merge([...told, growing(gone), more]) }
}
