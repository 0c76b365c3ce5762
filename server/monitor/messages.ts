import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'

/** What supervisor and workers say to each other about figures, beside what else they say. */
export type MonitorMessage =
  /** A worker wants those of all workers. */
  | { readonly type: 'machine-asked'; readonly ask: number }
  | { readonly type: 'machine-told'; readonly ask: number; readonly machine: MachineReadings }
  /** The supervisor wants those of one worker. */
  | { readonly type: 'worker-asked'; readonly ask: number }
  /** The answer; a worker that leaves tells its last ones unasked, as number 0. */
  | { readonly type: 'worker-told'; readonly ask: number; readonly readings: readonly Reading[] }

const types = new Set<unknown>(['machine-asked', 'machine-told', 'worker-asked', 'worker-told'])

/** Undefined: it is about something else. */
export function monitorMessage(message: unknown): MonitorMessage | undefined {
  return types.has((message as { type?: unknown } | null)?.type) ? (message as MonitorMessage) : undefined
}
