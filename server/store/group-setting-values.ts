import type { SettingMembers } from '../../shared/resources/group-setting-value.js'
import type { Tx } from './db.js'

/** A nameless group. It never changes: a setting that changes gets another one. */
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
