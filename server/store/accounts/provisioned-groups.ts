import type { ISql, Tx } from '../driver/db.js'
import type { Condition, Page, Window } from './provisioned-users.js'

/** A group as a directory names it. */
export interface ProvisionedGroup {
  readonly id: number
  readonly external_id: string | null
}

/** What a list of groups may be limited by. Letter case counts in all but `displayName`. */
export type GroupAttribute = 'id' | 'displayName' | 'externalId' | 'member'

// Those that people may change.
const isVisible = (sql: ISql) => sql`g.name is not null and not g.is_system_group and not g.deactivated`

function matches(sql: ISql, { attribute, value }: Condition<GroupAttribute>) {
  switch (attribute) {
    case 'id':
      return sql`g.id::text = ${value}`
    case 'displayName':
      return sql`lower(g.name) = lower(${value})`
    case 'externalId':
      return sql`p.external_id = ${value}`
    case 'member':
      return sql`exists (select from user_group_members m where m.group_id = g.id and m.user_id::text = ${value})`
  }
}

/** The groups that match all conditions, without system groups and deactivated ones, ids ascending, in one statement. */
export async function listProvisionedGroups(
  sql: ISql,
  conditions: readonly Condition<GroupAttribute>[],
  { offset, limit }: Window,
): Promise<Page<ProvisionedGroup>> {
  const [page] = await sql<Page<ProvisionedGroup>[]>`
    with found as (
      select g.id, p.external_id from user_groups g left join provisioned_groups p on p.group_id = g.id
      where ${conditions.reduce((all, one) => sql`${all} and ${matches(sql, one)}`, isVisible(sql))}
    ), page as (select * from found order by id offset ${offset} limit ${limit})
    select (select count(*)::int from found) as total, (select coalesce(json_agg(page order by id), '[]') from page) as rows`
  return page ?? { total: 0, rows: [] }
}

/** One group; undefined: the directory sees no such group. */
export async function provisionedGroup(sql: ISql, id: number): Promise<ProvisionedGroup | undefined> {
  const { rows } = await listProvisionedGroups(sql, [{ attribute: 'id', value: String(id) }], { offset: 0, limit: 1 })
  return rows[0]
}

/** Stores what a directory calls a group. The transaction holds the organization. */
export async function storeProvisionedGroup(tx: Tx, { id, external_id }: ProvisionedGroup): Promise<void> {
  await tx`
    insert into provisioned_groups (group_id, external_id) values (${id}, ${external_id})
    on conflict (group_id) do update set external_id = excluded.external_id`
}
