import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'

/** The messages about metrics between supervisor and workers; they share the channel with other messages. */
export type MonitorMessage =
  /** A worker requests the readings of all workers. */
  | { readonly type: 'machine-asked'; readonly ask: number }
  | { readonly type: 'machine-answered'; readonly ask: number; readonly machine: MachineReadings }
  /** The supervisor requests the readings of one worker. */
  | { readonly type: 'worker-asked'; readonly ask: number }
  /** The worker's answer; a stopping worker sends its last readings without a request, with `ask` 0. */
  | { readonly type: 'worker-answered'; readonly ask: number; readonly readings: readonly Reading[] }

const types = new Set<unknown>(['machine-asked', 'machine-answered', 'worker-asked', 'worker-answered'])

/** The message, if it is one about metrics. */
export function monitorMessage(message: unknown): MonitorMessage | undefined {
  return types.has((message as { type?: unknown } | null)?.type) ? (message as MonitorMessage) : undefined
}
