import type { Tx } from '../driver/db.js'
import type { GroupRow } from './groups.js'

type NewGroup = Pick<GroupRow, 'name' | 'description' | 'creator_id' | 'settings' | 'members' | 'subgroups'>

/** Inserts a group. Group names are unique: a second group with the same name fails with 23505. */
export async function insertGroup(
  tx: Tx,
  group: NewGroup,
  version: number,
): Promise<Pick<GroupRow, 'id' | 'date_created'>> {
  const [row] = await tx<Pick<GroupRow, 'id' | 'date_created'>[]>`
    with made as (
      insert into user_groups (name, description, creator_id, settings, version)
      values (${group.name}, ${group.description}, ${group.creator_id}, ${tx.json(group.settings)}, ${version})
      returning id, date_created
    ), members as (
      insert into user_group_members (group_id, user_id)
      select made.id, member from made, unnest(${[...group.members]}::int[]) as member
    ), subgroups as (
      insert into user_group_subgroups (group_id, subgroup_id)
      select made.id, subgroup from made, unnest(${[...group.subgroups]}::int[]) as subgroup
    )
    select id, date_created from made`
  if (!row) throw new Error('no group row came back')
  return row
}

/** Members and subgroups that a group gains and loses; no id is both gained and lost. */
interface MembershipChange {
  readonly joined: readonly number[]
  readonly left: readonly number[]
  readonly joinedGroups: readonly number[]
  readonly leftGroups: readonly number[]
}

/** Stores a change of the members and subgroups of a group. */
export async function changeMembership(
  tx: Tx,
  groupId: number,
  { joined, left, joinedGroups, leftGroups }: MembershipChange,
  version: number,
): Promise<void> {
  await tx`
    with joined as (
      insert into user_group_members (group_id, user_id)
      select ${groupId}, member from unnest(${[...joined]}::int[]) as member
    ), gone as (
      delete from user_group_members where group_id = ${groupId} and user_id = any(${[...left]}::int[])
    ), joined_groups as (
      insert into user_group_subgroups (group_id, subgroup_id)
      select ${groupId}, subgroup from unnest(${[...joinedGroups]}::int[]) as subgroup
    ), gone_groups as (
      delete from user_group_subgroups where group_id = ${groupId} and subgroup_id = any(${[...leftGroups]}::int[])
    )
    update user_groups set version = ${version} where id = ${groupId}`
}

/** Stores that a user joins and leaves groups, in one statement. */
export async function changeGroupsOf(
  tx: Tx,
  userId: number,
  { joined, left }: { readonly joined: readonly number[]; readonly left: readonly number[] },
  version: number,
): Promise<void> {
  await tx`
    with joined as (
      insert into user_group_members (group_id, user_id)
      select group_id, ${userId} from unnest(${[...joined]}::int[]) as group_id
    ), gone as (
      delete from user_group_members where user_id = ${userId} and group_id = any(${[...left]}::int[])
    )
    update user_groups set version = ${version} where id = any(${[...joined, ...left]}::int[])`
}

type GroupChange = Pick<GroupRow, 'description' | 'deactivated' | 'settings'> & { readonly name: string }

/** Stores everything about a group except its members and subgroups. */
export async function updateGroup(tx: Tx, groupId: number, change: GroupChange, version: number): Promise<void> {
  await tx`
    update user_groups set name = ${change.name}, description = ${change.description},
      deactivated = ${change.deactivated}, settings = ${tx.json(change.settings)}, version = ${version}
    where id = ${groupId}`
}
