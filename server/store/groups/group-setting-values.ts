import type { SettingMembers } from '../../../shared/resources/group-setting-value.js'
import type { Tx } from '../driver/db.js'
import type { GroupRow } from './groups.js'

type PlainGroup = Omit<GroupRow, 'members' | 'subgroups'>

const columns = (tx: Tx) => tx`
  id, name, description, is_system_group, deactivated, creator_id, date_created, settings, version`

const withMembers = (row: PlainGroup, { direct_members, direct_subgroups }: SettingMembers): GroupRow => ({
  ...row,
  members: [...direct_members],
  subgroups: [...direct_subgroups],
})

/**
 * Inserts a nameless group, with members in ascending order. It never changes while it is the value of a setting: a changed setting gets another
 * group.
 */
export async function insertNamelessGroup(tx: Tx, value: SettingMembers, version: number): Promise<GroupRow> {
  const [row] = await tx<PlainGroup[]>`
    with made as (
      insert into user_groups (name, version) values (null, ${version}) returning ${columns(tx)}
    ), members as (
      insert into user_group_members (group_id, user_id)
      select made.id, member from made, unnest(${[...value.direct_members]}::int[]) as member
    ), subgroups as (
      insert into user_group_subgroups (group_id, subgroup_id)
      select made.id, subgroup from made, unnest(${[...value.direct_subgroups]}::int[]) as subgroup
    )
    select * from made`
  if (!row) throw new Error('no group row came back')
  return withMembers(row, value)
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
): Promise<GroupRow | undefined> {
  const members = [...value.direct_members]
  const subgroups = [...value.direct_subgroups]
  const [row] = await tx<PlainGroup[]>`
    with taken as (
      update user_groups set version = ${version}
      where id = (
        select min(id) from user_groups where id = any(${[...groupIds]}) and version < ${version}
      )
      returning ${columns(tx)}
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
    select * from taken`
  return row && withMembers(row, value)
}
