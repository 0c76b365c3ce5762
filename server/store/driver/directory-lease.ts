import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { lockKey } from './advisory-lock.js'
import type { ISql, Tx } from './db.js'
import { joinParts } from './join-parts.js'

/**
 * How long a worker may answer from its memory without asking PostgreSQL again, in ms: it asks at most twenty times a second. A
 * transaction that changes the directory or lists of channels waits this long before its commit if a worker does not give up its lease
 * earlier.
 */
export const directoryLeaseMs = 50

const heldVersion = Symbol('held version')
const isChanging = Symbol('is changing')
const hasLocks = Symbol('has locks')
const listChanges = Symbol('list changes')

/** What a running transaction notes about itself, until `leasesEnded`. */
type Changing = Tx & {
  /** The organization's version, which it has locked for a change. */
  [heldVersion]?: number
  /** Whether it changes what the directory shows. */
  [isChanging]?: boolean
  /** Whether it has the lock `version` or `lists`. */
  [hasLocks]?: boolean
  /** The users whose subscriptions it changes. */
  [listChanges]?: Set<number> | undefined
}

// Versions of lists whose changes are kept. A worker that is further behind forgets all subscriptions.
const keptListChanges = 1000

/** The transaction has locked the organization's version for a change. */
export function noteHeldVersion(tx: Changing, version: number): void {
  tx[heldVersion] = version
}

/**
 * The organization's next version, which `newVersions` will store. Undefined: the transaction has not locked the present one for a
 * change.
 */
export function nextVersion(tx: Changing): number | undefined {
  if (tx[heldVersion] === undefined) return undefined
  tx[isChanging] = true
  return tx[heldVersion] + 1
}

/**
 * The part `next (next_version)` of a statement that stores the organization's next version at once, if the present one is this one: then the
 * transaction holds it without having locked it before.
 */
export function nextAfter(tx: Changing, version: number): postgres.Fragment {
  // Also if the version differs and nothing is locked: that commit then waits without need.
  tx[hasLocks] = true
  return tx`next as (
    update organization set version = version + 1 where version = ${version}
    returning version as next_version, pg_advisory_xact_lock(${lockKey(tx, 'version')})
  )`
}

/**
 * The transaction changes what `ChannelLists` remembers, so that `newVersions` makes a new version of lists. That comes last, because it locks
 * out all other such transactions: the holder of this lock waits for no other one.
 * @param userIds whose subscriptions it changes; none: only facts of channels
 */
export function noteListChange(tx: Changing, userIds: Iterable<number> = []): void {
  tx[listChanges] ??= new Set()
  for (const id of userIds) tx[listChanges].add(id)
}

/**
 * Parts of the transaction's last statement: they store the new versions of what the transaction has changed. From then on no worker gets a
 * lease, and the commit has to wait for `leasesEnded`. Empty: nothing that has a version has changed.
 */
export function newVersions(tx: Changing): postgres.Fragment[] {
  const parts: postgres.Fragment[] = []
  if (tx[isChanging]) {
    parts.push(tx`organization_changed as (
      update organization set version = version + 1 returning pg_advisory_xact_lock(${lockKey(tx, 'version')})
    )`)
  }
  if (tx[listChanges]) parts.push(newListsVersion(tx, [...tx[listChanges]]))
  tx[isChanging] = false
  tx[listChanges] = undefined
  tx[hasLocks] ||= parts.length > 0
  return parts
}

/**
 * Waits, before the commit of a transaction that changes the directory or lists of channels, until no worker has a lease on the former
 * version. Returns at once for other transactions. Stores the new versions, if no statement of the transaction has done so.
 * @param recall asks all workers to give up their leases; true: all have done so. It takes at most `waitMs` and does not reject.
 */
export async function leasesEnded(
  tx: Changing,
  recall: (waitMs: number) => Promise<boolean> = async () => false,
): Promise<void> {
  const parts = newVersions(tx)
  if (parts.length > 0) await tx`with ${joinParts(tx, parts)} select`
  if (!tx[hasLocks]) return
  tx[hasLocks] = false
  // The transaction has its locks already, so every lease ends within `directoryLeaseMs`.
  const since = performance.now()
  const rest = () => since + directoryLeaseMs - performance.now()
  if (rest() <= 0 || (await recall(rest()))) return
  // A timer may run a little too early.
  while (rest() > 0) await sleep(Math.ceil(rest()))
}

const newListsVersion = (tx: Tx, userIds: number[]) => tx`
  lists_changed as (
    update lists_version set version = version + 1 returning version, pg_advisory_xact_lock(${lockKey(tx, 'lists')})
  ), list_changes_pruned as (
    delete from list_changes using lists_changed
    where list_changes.version <= lists_changed.version - ${keptListChanges}::int
  ), list_change_stored as (
    insert into list_changes (version, user_ids) select version, ${userIds}::int[] from lists_changed
  )`

/** The changes of lists after this version whose users are still known: ascending. */
export async function listChangesAfter(sql: ISql, version: number): Promise<{ version: number; user_ids: number[] }[]> {
  return sql<{ version: number; user_ids: number[] }[]>`
    select version, user_ids from list_changes where version > ${version} order by version`
}
