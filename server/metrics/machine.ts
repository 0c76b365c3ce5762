import { growing, merge, type Reading } from './reading.js'

/** The readings of one worker. */
export interface WorkerReadings {
  /** Number of the worker on this machine, from 1 on; the replacement of a dead worker gets its number. */
  readonly worker: string
  readonly readings: readonly Reading[]
}

/** The readings of all workers of one machine at one moment. */
export interface MachineReadings {
  readonly workers: readonly WorkerReadings[]
  /** The combined readings, including the counts of workers that have ended. */
  readonly whole: readonly Reading[]
}

/**
 * Combines the readings of workers. `gone`: readings of ended workers, whose counters stay in the sums, because a counter must not
 * fall. `more`: further readings of the machine.
 */
export function machineReadings(
  workers: readonly WorkerReadings[],
  gone: readonly Reading[],
  more: readonly Reading[],
): MachineReadings {
  const ofWorkers = workers.map(({ readings }) => readings)
  return { workers, whole: merge([...ofWorkers, growing(gone), more]) }
}
