import type { ISql } from '../driver/db.js'

export interface GroupRow {
  id: number
  /** Null: the group is the value of a group setting and not visible to users. */
  name: string | null
  description: string
  is_system_group: boolean
  deactivated: boolean
  creator_id: number | null
  date_created: Date
  settings: Record<string, number>
  version: number
  /** Direct members; empty for system groups, whose members follow from roles. */
  members: number[]
  subgroups: number[]
}

/** Groups changed (members and subgroups included) after organization version `after`; all of them for 0. */
export async function groupsChangedAfter(sql: ISql, after: number): Promise<GroupRow[]> {
  return sql<GroupRow[]>`
    select id, name, description, is_system_group, deactivated, creator_id, date_created, settings, version,
      array(select user_id from user_group_members where group_id = user_groups.id order by user_id) as members,
      array(select subgroup_id from user_group_subgroups where group_id = user_groups.id order by subgroup_id) as subgroups
    from user_groups where version > ${after}`
}
