import type { ISql, Tx } from './db.js'

export interface OrganizationRow {
  uuid: string
  name: string
  description: string
  /** Only what differs from the wire's defaults. */
  settings: Record<string, unknown>
  user_settings_defaults: Record<string, unknown>
  is_active: boolean
  date_created: Date
  /** Up to when members' waiting period has been counted: who had waited long enough by then is a full member. */
  full_members_as_of: Date
  version: number
}

export async function readOrganization(sql: ISql): Promise<OrganizationRow> {
  const [row] = await sql<OrganizationRow[]>`
    select uuid, name, description, settings, user_settings_defaults, is_active, date_created,
      full_members_as_of, version from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}

/**
 * Takes the organization's row lock and the next version: a transaction that changes users, groups, channels or settings
 * writes this value into each row that it changes. The lock makes versions rise in the order of commits.
 */
export async function bumpVersion(tx: Tx): Promise<number> {
  const [row] = await tx<{ version: number }[]>`update organization set version = version + 1 returning version`
  if (!row) throw new Error('the schema has no organization row')
  return row.version
}

/** Never backwards: who is a full member stays one. The caller has called bumpVersion. */
export async function setFullMembersAsOf(tx: Tx, time: Date): Promise<void> {
  await tx`update organization set full_members_as_of = greatest(full_members_as_of, ${time})`
}

/** Keeps the organization's version as it is until the transaction ends. `change` keeps others out who would hold it too. */
export async function lockVersion(tx: Tx, mode: 'share' | 'change'): Promise<number> {
  const [row] =
    mode === 'share'
      ? await tx<{ version: number }[]>`select version from organization for share`
      : await tx<{ version: number }[]>`select version from organization for no key update`
  if (!row) throw new Error('the schema has no organization row')
  return row.version
}

export async function readVersion(sql: ISql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from organization`
  return row?.version ?? 0
}
