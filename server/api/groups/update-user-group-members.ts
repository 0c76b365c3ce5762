import { z } from 'zod'
import { changeMembers } from '../../actions/groups/change-members.js'
import { notGuest } from '../../policies/allow.js'
import { route } from '../route.js'
import { groupId, memberIds, subgroupIds } from './params.js'

export const updateUserGroupMembers = route({
  operation: 'update_user_group_members',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  doc: "Adds and removes members and subgroups of a group, deactivated or not, all or none. For users who manage the group, and for others as the group's settings allow.",
  allow: notGuest,
  params: z.object({
    user_group_id: groupId(),
    add: memberIds().default([]).describe('Active users who are not direct members yet.'),
    delete: memberIds().default([]).describe('Active users who are direct members.'),
    add_subgroups: subgroupIds()
      .default([])
      .describe('Groups that are not direct subgroups yet and do not contain this group.'),
    delete_subgroups: subgroupIds().default([]).describe('Direct subgroups.'),
  }),
  requires: [
    {
      anyOf: ['add', 'delete', 'add_subgroups', 'delete_subgroups'],
      refusal: "Nothing to do. Specify at least one of 'add', 'delete', 'add_subgroups' or 'delete_subgroups'.",
    },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_group_id, ...change } }) {
    await changeMembers(ctx, actor, user_group_id, change)
    return {}
  },
})
