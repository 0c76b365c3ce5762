import { z } from 'zod'
import { flag, id, lineType, object, text, time } from '../line-type.js'

export const groupLine = lineType(
  'group',
  {
    table: 'user_groups',
    order: 'id',
    doc: 'A user group. A group without a name is the value of a setting; the members of a group named `role:…` follow from their roles.',
  },
  {
    id: id('Its id.'),
    name: text('Its name.').nullable(),
    description: text('Its description.'),
    is_system_group: flag('It is a system group: one of `role:…`.'),
    deactivated: flag('The group is deactivated.'),
    creator_id: z.int().nullable().describe('The user who created it.'),
    date_created: time('When it was created.'),
    settings: object('Its permissions: from name to the id of the group that has the permission.'),
  },
)

export const groupMemberLine = lineType(
  'group_member',
  { table: 'user_group_members', order: 'group_id, user_id', doc: 'A direct member of a group.' },
  {
    group_id: id('The group.'),
    user_id: id('The member.'),
  },
)

export const subgroupLine = lineType(
  'subgroup',
  {
    table: 'user_group_subgroups',
    order: 'group_id, subgroup_id',
    doc: 'A subgroup: its members are also members of the group.',
  },
  {
    group_id: id('The group.'),
    subgroup_id: id('The subgroup.'),
  },
)
