import { z } from 'zod'
import { changeMembers } from '../../actions/groups/change-members.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { groupId, subgroupIds } from './params.js'

export const updateUserGroupSubgroups = route({
  operation: 'update_user_group_subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  doc: 'Adds and removes subgroups of a group, deactivated or not, all or none. Adding requires `can_add_members_group`, removing `can_manage_group`.',
  allow: notGuest,
  params: z.object({
    user_group_id: groupId(),
    add: subgroupIds().default([]).describe('Groups that are not direct subgroups yet and do not contain this group.'),
    delete: subgroupIds().default([]).describe('Direct subgroups.'),
  }),
  requires: [{ anyOf: ['add', 'delete'], refusal: "Nothing to do. Specify at least one of 'add' or 'delete'." }],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_group_id, add, delete: removed } }) {
    const change = { add: [], delete: [], add_subgroups: add, delete_subgroups: removed }
    await changeMembers(ctx, actor, user_group_id, change)
    return {}
  },
})
