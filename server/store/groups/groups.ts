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
