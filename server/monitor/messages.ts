import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'

/** The messages about metrics between supervisor and workers; they share the channel with other messages. */
export type MonitorMessage =
  /** A worker requests the readings of all workers. */
  | { readonly type: 'machine-requested'; readonly request: number }
  | { readonly type: 'machine-answered'; readonly request: number; readonly machine: MachineReadings }
  /** The supervisor requests the readings of one worker. */
  | { readonly type: 'worker-requested'; readonly request: number }
  /** The worker's answer; a stopping worker sends its last readings without a request, with `request` 0. */
  | { readonly type: 'worker-answered'; readonly request: number; readonly readings: readonly Reading[] }

const types: ReadonlySet<unknown> = new Set([
  'machine-requested',
  'machine-answered',
  'worker-requested',
  'worker-answered',
])

/** The message, if it is one about metrics. */
export function monitorMessage(message: unknown): MonitorMessage | undefined {
  return types.has((message as { type?: unknown } | null)?.type) ? (message as MonitorMessage) : undefined
}
