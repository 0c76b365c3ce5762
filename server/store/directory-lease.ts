import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from './db.js'

/**
 * How long a worker may answer from its directory without asking PostgreSQL again, in ms: it asks at most twenty times a second. A
 * transaction that changes the directory waits this long before its commit if a worker does not give up its lease earlier.
 */
export const directoryLeaseMs = 50

// When each running transaction that changes the directory got the lock `version`, by the monotonic clock.
const lockedAt = new WeakMap<Tx, number>()

/** The transaction has the lock `version`, so every lease ends within `directoryLeaseMs`. */
export function noteVersionLock(tx: Tx): void {
  if (!lockedAt.has(tx)) lockedAt.set(tx, performance.now())
}

/**
 * Waits, before the commit of a transaction that changes the directory, until no worker has a lease on the former version. Returns at
 * once for other transactions.
 * @param recall asks all workers to give up their leases; true: all have done so. It takes at most `waitMs` and does not reject.
 */
export async function leasesEnded(
  tx: Tx,
  recall: (waitMs: number) => Promise<boolean> = async () => false,
): Promise<void> {
  const since = lockedAt.get(tx)
  if (since === undefined) return
  lockedAt.delete(tx)
  const rest = () => since + directoryLeaseMs - performance.now()
  if (rest() <= 0 || (await recall(rest()))) return
  // A timer may run a little too early.
  while (rest() > 0) await sleep(Math.ceil(rest()))
}
