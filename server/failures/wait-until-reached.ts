import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.js'
import { NotYetError } from './start-error.js'

const pauseMs = 250

/** How long a start waits for a database, and where it says so. */
export interface Patience {
  readonly waitMs: number
  readonly log: Log
}

/**
 * Repeats the attempt to reach a database while it throws {NotYetError}, for `waitMs` at most; the first failure is logged.
 * @throws the error of the last attempt
 */
export async function waitUntilReached<T>(
  name: string,
  attempt: () => Promise<T>,
  { waitMs, log }: Patience,
): Promise<T> {
  const end = performance.now() + waitMs
  for (let tries = 0; ; tries++) {
    try {
      const result = await attempt()
      if (tries > 0) log.warn(`${name} answers`)
      return result
    } catch (error) {
      if (!(error instanceof NotYetError) || performance.now() >= end) throw error
      if (tries === 0) log.warn({ seconds: waitMs / 1000, reason: error.message }, `waiting for ${name}`)
    }
    await sleep(pauseMs)
  }
}
