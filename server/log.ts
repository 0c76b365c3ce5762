import { type Logger, pino } from 'pino'

export type Log = Logger

/** Of a request whose events the log shall tell of. */
export interface Trace {
  /** They are in the feed. Told once for those that went there together. */
  published(eventIds: readonly number[]): void
}

/** Writes to standard error: standard output carries only the `ready` line. Keys and passwords are cut out wherever they stand. */
export function createLog(level: string, name: string): Log {
  return pino(
    {
      level,
      name,
      redact: { paths: ['*.api_key', '*.password', '*.authorization', 'api_key', 'password', 'authorization'] },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}
