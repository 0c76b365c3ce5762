import type { SettingMembers } from '../../../shared/resources/group-setting-value.js'
import type { Tx } from '../driver/db.js'

/** Inserts a nameless group. It never changes while it is the value of a setting: a changed setting gets another group. */
export async function insertNamelessGroup(tx: Tx, value: SettingMembers, version: number): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    with made as (
      insert into user_groups (name, version) values (null, ${version}) returning id
    ), members as (
      insert into user_group_members (group_id, user_id)
      select made.id, member from made, unnest(${[...value.direct_members]}::int[]) as member
    ), subgroups as (
      insert into user_group_subgroups (group_id, subgroup_id)
      select made.id, subgroup from made, unnest(${[...value.direct_subgroups]}::int[]) as subgroup
    )
    select id from made`
  if (!row) throw new Error('no group row came back')
  return row.id
}

/**
 * Gives another value to one of these nameless groups, which are no longer the value of a setting. Undefined: this transaction,
 * the only one with this version, has already reused all of them.
 */
export async function reuseNamelessGroup(
  tx: Tx,
  groupIds: readonly number[],
  value: SettingMembers,
  version: number,
): Promise<number | undefined> {
  const members = [...value.direct_members]
  const subgroups = [...value.direct_subgroups]
  const [row] = await tx<{ id: number }[]>`
    with taken as (
      update user_groups set version = ${version}
      where id = (
        select min(id) from user_groups where id = any(${[...groupIds]}) and version < ${version}
      )
      returning id
    ), gone as (
      delete from user_group_members using taken where group_id = taken.id and user_id <> all(${members}::int[])
    ), gone_groups as (
      delete from user_group_subgroups using taken where group_id = taken.id and subgroup_id <> all(${subgroups}::int[])
    ), members as (
      insert into user_group_members (group_id, user_id)
      select taken.id, member from taken, unnest(${members}::int[]) as member on conflict do nothing
    ), subgroups as (
      insert into user_group_subgroups (group_id, subgroup_id)
      select taken.id, subgroup from taken, unnest(${subgroups}::int[]) as subgroup on conflict do nothing
    )
    select id from taken`
  return row?.id
}
