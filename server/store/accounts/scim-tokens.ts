import { createHash } from 'node:crypto'
import type { ISql } from '../driver/db.js'

/** A token with which a directory calls /scim/v2. */
export interface ScimToken {
  readonly id: number
  readonly name: string
  /** Whether the directory may make owners, and change those that there are. */
  readonly may_change_owners: boolean
}

interface ScimTokenRow extends ScimToken {
  readonly created: Date
  /** Some minutes old at most; null: never. */
  readonly last_used: Date | null
}

// Ms. A use is written at most this often.
const renewalMs = 600_000

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Stores a token, of which only a digest is kept. Undefined: the name is taken. */
export async function insertScimToken(
  sql: ISql,
  token: string,
  { name, may_change_owners }: Omit<ScimToken, 'id'>,
): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    insert into scim_tokens (name, token_hash, may_change_owners) values (${name}, ${digestOf(token)}, ${may_change_owners})
    on conflict (name) do nothing returning id`
  return row?.id
}

/** The token that has this text, and notes its use; undefined: there is none. */
export async function findScimToken(sql: ISql, token: string, now: Date): Promise<ScimToken | undefined> {
  const digest = digestOf(token)
  const [row] = await sql<ScimToken[]>`
    with used as (
      update scim_tokens set last_used = ${now}
      where token_hash = ${digest} and (last_used is null or last_used < ${new Date(now.getTime() - renewalMs)})
    )
    select id, name, may_change_owners from scim_tokens where token_hash = ${digest}`
  return row
}

/** All tokens, the oldest first. */
export function scimTokens(sql: ISql): Promise<ScimTokenRow[]> {
  return sql<ScimTokenRow[]>`select id, name, may_change_owners, created, last_used from scim_tokens order by id`
}

/** Revokes a token. False: there is none of this name. */
export async function deleteScimToken(sql: ISql, name: string): Promise<boolean> {
  const rows = await sql`delete from scim_tokens where name = ${name} returning id`
  return rows.length > 0
}
