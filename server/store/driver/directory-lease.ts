import { setTimeout as sleep } from 'node:timers/promises'
import { lockKey } from './advisory-lock.js'
import type { ISql, Tx } from './db.js'

/**
 * How long a worker may answer from its memory without asking PostgreSQL again, in ms: it asks at most twenty times a second. A
 * transaction that changes the directory or lists of channels waits this long before its commit if a worker does not give up its lease
 * earlier.
 */
export const directoryLeaseMs = 50

const lockedAt = Symbol('locked at')
const listChanges = Symbol('list changes')

/** What a running transaction notes about itself, until `leasesEnded`. */
type Changing = Tx & {
  /** When it got the lock `version` or `lists`, by the monotonic clock. */
  [lockedAt]?: number | undefined
  /** The users whose subscriptions it changes. */
  [listChanges]?: Set<number> | undefined
}

// Versions of lists whose changes are kept. A worker that is further behind forgets all subscriptions.
const keptListChanges = 1000

/** The transaction has the lock `version`, so every lease ends within `directoryLeaseMs`. */
export function noteVersionLock(tx: Changing): void {
  tx[lockedAt] ??= performance.now()
}

/**
 * The transaction changes what `ChannelLists` remembers, so that `leasesEnded` makes a new version of lists. That comes last, because it locks
 * out all other such transactions: the holder of this lock waits for no other one.
 * @param userIds whose subscriptions it changes; none: only facts of channels
 */
export function noteListChange(tx: Changing, userIds: Iterable<number> = []): void {
  tx[listChanges] ??= new Set()
  for (const id of userIds) tx[listChanges].add(id)
}

/**
 * Waits, before the commit of a transaction that changes the directory or lists of channels, until no worker has a lease on the former
 * version. Returns at once for other transactions.
 * @param recall asks all workers to give up their leases; true: all have done so. It takes at most `waitMs` and does not reject.
 */
export async function leasesEnded(
  tx: Changing,
  recall: (waitMs: number) => Promise<boolean> = async () => false,
): Promise<void> {
  const changed = tx[listChanges]
  if (changed) {
    tx[listChanges] = undefined
    await storeListChange(tx, [...changed])
    noteVersionLock(tx)
  }
  const since = tx[lockedAt]
  if (since === undefined) return
  tx[lockedAt] = undefined
  const rest = () => since + directoryLeaseMs - performance.now()
  if (rest() <= 0 || (await recall(rest()))) return
  // A timer may run a little too early.
  while (rest() > 0) await sleep(Math.ceil(rest()))
}

async function storeListChange(tx: Tx, userIds: number[]): Promise<void> {
  await tx`
    with next as (
      update lists_version set version = version + 1 returning version, pg_advisory_xact_lock(${lockKey(tx, 'lists')})
    ), pruned as (
      delete from list_changes using next where list_changes.version <= next.version - ${keptListChanges}::int
    )
    insert into list_changes (version, user_ids) select version, ${userIds}::int[] from next`
}

/** The changes of lists after this version whose users are still known: ascending. */
export async function listChangesAfter(sql: ISql, version: number): Promise<{ version: number; user_ids: number[] }[]> {
  return sql<{ version: number; user_ids: number[] }[]>`
    select version, user_ids from list_changes where version > ${version} order by version`
}
