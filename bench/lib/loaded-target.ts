import type { Run, RunResult } from './load-protocol.js'

/** A server under load, for both kinds of clients. */
export interface LoadedTarget {
  open(): Promise<void>
  run(run: Run): Promise<RunResult>
  /** Clients do their deferred work now. */
  settle(): void
}
