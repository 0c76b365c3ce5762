import { type Logger, pino } from 'pino'

export type Log = Logger

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
