import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { findGroup } from '../../lookups/find-group.js'
import { pathId } from '../../params/schemas.js'
import { notGuest } from '../../policies/allow.js'
import { isDirectMember, isInGroup } from '../../policies/groups.js'
import { route } from '../route.js'
import { directOnly, groupId } from './params.js'

export const getIsUserGroupMember = route({
  operation: 'get_is_user_group_member',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  doc: 'Returns whether a user or bot is in a group, directly or through its subgroups; a deactivated user is in none. Not for guests.',
  allow: notGuest,
  params: z.object({
    user_group_id: groupId(),
    user_id: pathId().describe('The user or bot.'),
    direct_member_only: directOnly().describe('Whether only direct membership counts.'),
  }),
  returns: z.object({ is_user_group_member: z.boolean() }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx: { directory }, params: { user_group_id, user_id, direct_member_only } }) {
    await directory.fresh()
    const group = findGroup(directory, user_group_id)
    const user = directory.users.get(user_id)
    if (!user || user.is_system_bot) throw badRequest('No such user')
    const is_user_group_member = direct_member_only
      ? isDirectMember(directory, group, user)
      : isInGroup(directory, user.id, group.id)
    return { is_user_group_member }
  },
})
