import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Tx } from '../driver/db.js'
import { nextVersion, noteHeldVersion } from '../driver/directory-lease.js'

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
 * The organization's next version: a transaction that changes users, groups, channels or settings writes it into each changed row. The
 * organization is locked for a change, so versions rise in the order of commits. The transaction's last statement stores the version
 * (store/driver/directory-lease.ts).
 */
export async function bumpVersion(tx: Tx): Promise<number> {
  const next = nextVersion(tx)
  if (next !== undefined) return next
  await lockVersion(tx, 'change')
  return bumpVersion(tx)
}

/** Never sets an earlier time, so that full members stay full members. The caller has called bumpVersion. */
export async function setFullMembersAsOf(tx: Tx, time: Date): Promise<void> {
  await tx`update organization set full_members_as_of = greatest(full_members_as_of, ${time})`
}

/** The organization's version, locked until the transaction ends. `share` allows other transactions to share the lock, `change` does not. */
export async function lockVersion(tx: Tx, mode: 'share' | 'change'): Promise<number> {
  const [row] = await tx<{ version: number }[]>`${versionLocked(tx, mode)}`
  if (!row) throw new Error('the schema has no organization row')
  if (mode === 'change') noteHeldVersion(tx, row.version)
  return row.version
}

/** A statement, or a part of one, that locks the organization's version. */
export const versionLocked = (tx: Tx, mode: 'share' | 'change') =>
  mode === 'share'
    ? tx`select version from organization for share`
    : tx`select version from organization for no key update`

/**
 * Whether the organization has this version now. A statement asks in a part that follows the one with its locks, because its own snapshot is
 * older than the wait for them: a caller who was deactivated meanwhile changes nothing.
 */
export const isVersion = (sql: ISql, version: number) => sql`organization_version_now() = ${version}::bigint`

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
