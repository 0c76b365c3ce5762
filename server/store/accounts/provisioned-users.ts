import type { ISql, Tx } from '../driver/db.js'

/** A person as a directory names it. */
export interface ProvisionedUser {
  readonly id: number
  /** The account's address, as long as the directory has given no other name. */
  readonly user_name: string
  readonly external_id: string | null
}

/** What a list of people may be limited by. Letter case counts in `externalId` and `id` only. */
export type UserAttribute = 'id' | 'userName' | 'externalId' | 'email' | 'displayName' | 'active'

export interface Condition<Attribute extends string> {
  readonly attribute: Attribute
  readonly value: string
}

/** Which part of a list is wanted. */
export interface Window {
  readonly offset: number
  readonly limit: number
}

export interface Page<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

// A directory sees all people but those that it has deleted, and that are deactivated since.
const isVisible = (sql: ISql) => sql`not u.is_bot and not u.is_deleted and (u.is_active or p.is_removed is not true)`

function matches(sql: ISql, { attribute, value }: Condition<UserAttribute>) {
  switch (attribute) {
    case 'id':
      return sql`u.id::text = ${value}`
    case 'userName':
      return sql`lower(coalesce(p.user_name, u.delivery_email)) = lower(${value})`
    case 'externalId':
      return sql`p.external_id = ${value}`
    case 'email':
      return sql`lower(u.delivery_email) = lower(${value})`
    case 'displayName':
      return sql`lower(u.full_name) = lower(${value})`
    case 'active':
      return sql`u.is_active = ${value.toLowerCase() === 'true'}`
  }
}

/** The people that match all conditions, ids ascending, in one statement. */
export async function listProvisionedUsers(
  sql: ISql,
  conditions: readonly Condition<UserAttribute>[],
  { offset, limit }: Window,
): Promise<Page<ProvisionedUser>> {
  const [page] = await sql<Page<ProvisionedUser>[]>`
    with found as (
      select u.id, coalesce(p.user_name, u.delivery_email) as user_name, p.external_id
      from users u left join provisioned_users p on p.user_id = u.id
      where ${conditions.reduce((all, one) => sql`${all} and ${matches(sql, one)}`, isVisible(sql))}
    ), page as (select * from found order by id offset ${offset} limit ${limit})
    select (select count(*)::int from found) as total, (select coalesce(json_agg(page order by id), '[]') from page) as rows`
  return page ?? { total: 0, rows: [] }
}

/** One person; undefined: the directory sees no such person. */
export async function provisionedUser(sql: ISql, id: number): Promise<ProvisionedUser | undefined> {
  const { rows } = await listProvisionedUsers(sql, [{ attribute: 'id', value: String(id) }], { offset: 0, limit: 1 })
  return rows[0]
}

interface Name {
  readonly userName: string
  readonly address: string
}

/**
 * The account that has the name, or as long as it has none, the address; or else the one with the other address. `isRemoved`: the
 * directory has deleted the person, and the account is deactivated.
 */
export async function accountOfName(
  sql: ISql,
  { userName, address }: Name,
): Promise<{ readonly id: number; readonly isRemoved: boolean } | undefined> {
  const [row] = await sql<{ id: number; isRemoved: boolean }[]>`
    select u.id, (p.is_removed is true and not u.is_active and not u.is_deleted) as "isRemoved" from users u left join provisioned_users p on p.user_id = u.id
    where lower(coalesce(p.user_name, u.delivery_email)) = lower(${userName}) or lower(u.delivery_email) = lower(${address})
    order by lower(coalesce(p.user_name, u.delivery_email)) = lower(${userName}) desc, u.id limit 1`
  return row
}

/** Whether another account has the name. */
export async function isUserNameTaken(tx: Tx, userName: string, ownId: number): Promise<boolean> {
  const rows = await tx`
    select from users u left join provisioned_users p on p.user_id = u.id
    where lower(coalesce(p.user_name, u.delivery_email)) = lower(${userName}) and u.id <> ${ownId}`
  return rows.length > 0
}

/** Stores what a directory calls a person. The transaction holds the organization. */
export async function storeProvisionedUser(
  tx: Tx,
  { id, user_name, external_id }: ProvisionedUser,
  isRemoved = false,
): Promise<void> {
  await tx`
    insert into provisioned_users (user_id, user_name, external_id, is_removed)
    values (${id}, ${user_name}, ${external_id}, ${isRemoved})
    on conflict (user_id) do update
    set user_name = excluded.user_name, external_id = excluded.external_id, is_removed = excluded.is_removed`
}
