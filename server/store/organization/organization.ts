import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Tx } from '../driver/db.js'
import { noteVersionLock } from '../driver/directory-lease.js'

/** Kinds of pictures of the organization, as their events name them. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo'

export interface OrganizationRow {
  uuid: string
  /** Signs addresses. Never shown. */
  secret: string
  name: string
  description: string
  /** Only settings that differ from the defaults of the protocol. */
  settings: Record<string, unknown>
  user_settings_defaults: Record<string, unknown>
  /** The path below `/user_avatars/` is null after a removal; the version rises with each change. */
  pictures: Partial<Record<OrganizationPicture, { readonly path: string | null; readonly version: number }>>
  is_active: boolean
  date_created: Date
  /** Members whose waiting period ended before this time are full members. */
  full_members_as_of: Date
  version: number
}

/**
 * Locks the organization's row and takes the next version: a transaction that changes users, groups, channels or settings writes
 * this version into each changed row. Because of the lock, versions rise in the order of commits. From now on no worker gets a directory
 * lease, and the commit waits until all leases have ended.
 */
export async function bumpVersion(tx: Tx): Promise<number> {
  const [row] = await tx<{ version: number }[]>`with ${nextVersion(tx)} select next_version as version from next`
  if (!row) throw new Error('the schema has no organization row')
  noteVersionLock(tx)
  return row.version
}

/** `bumpVersion` as the part `next (next_version)` of a statement that writes rows, too. After the statement the caller calls noteVersionLock. */
export const nextVersion = (tx: Tx) => tx`
  next as (
    update organization set version = version + 1
    returning version as next_version, pg_advisory_xact_lock(${lockKey(tx, 'version')})
  )`

/** Never sets an earlier time, so that full members stay full members. The caller has called bumpVersion. */
export async function setFullMembersAsOf(tx: Tx, time: Date): Promise<void> {
  await tx`update organization set full_members_as_of = greatest(full_members_as_of, ${time})`
}

/** The organization's version, locked until the transaction ends. `share` allows other transactions to share the lock, `change` does not. */
export async function lockVersion(tx: Tx, mode: 'share' | 'change'): Promise<number> {
  const [row] = await tx<{ version: number }[]>`${versionLocked(tx, mode)}`
  if (!row) throw new Error('the schema has no organization row')
  return row.version
}

/** A statement, or a part of one, that locks the organization's version. */
export const versionLocked = (tx: Tx, mode: 'share' | 'change') =>
  mode === 'share'
    ? tx`select version from organization for share`
    : tx`select version from organization for no key update`

/** The newest version. It throws an error if the schema has no organization. */
export async function readVersion(sql: ISql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from organization -- directory refresh`
  if (!row) throw new Error('the schema has no organization row')
  return row.version
}

/** The newest versions; `is_settled`: when the statement ran, no transaction had a new one and was still running. */
export interface Versions {
  version: number
  /** Of lists of channels (channel-lists.ts). */
  lists_version: number
  is_settled: boolean
}

/** Both versions in one statement. It throws an error if the schema has no organization. */
export async function readVersions(sql: ISql): Promise<Versions> {
  const [row] = await sql<Versions[]>`
    select version, lists_version, is_settled
    from settled_version(${lockKey(sql, 'version')}, ${lockKey(sql, 'lists')}) -- directory refresh`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
