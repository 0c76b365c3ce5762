import { z } from 'zod'
import { flag, id, lineType, object, text, time } from '../line-type.js'

export const groupLine = lineType(
  'group',
  'user_groups',
  'id',
  'A user group. Groups without a name are values of settings; those named `role:…` have their members by role.',
  {
    id: id('Its id.'),
    name: text('Its name.').nullable(),
    description: text('What it is for.'),
    is_system_group: flag('One of `role:…`.'),
    deactivated: flag('It is deactivated.'),
    creator_id: z.int().nullable().describe('Who made it.'),
    date_created: time('When.'),
    settings: object('Its permissions: name to id of the group that holds it.'),
  },
)

export const groupMemberLine = lineType(
  'group_member',
  'user_group_members',
  'group_id, user_id',
  'A direct member of a group.',
  {
    group_id: id('The group.'),
    user_id: id('The member.'),
  },
)

export const subgroupLine = lineType(
  'subgroup',
  'user_group_subgroups',
  'group_id, subgroup_id',
  'A group whose members another group has, too.',
  {
    group_id: id('The group.'),
    subgroup_id: id('The group in it.'),
  },
)
