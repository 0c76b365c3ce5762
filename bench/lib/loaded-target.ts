import type { Run, RunResult } from './load-protocol.js'

/** A server under load, whatever its clients read with. */
export interface LoadedTarget {
  open(): Promise<void>
  run(run: Run): Promise<RunResult>
  /** What clients put off is done now. */
  settle(): void
}
