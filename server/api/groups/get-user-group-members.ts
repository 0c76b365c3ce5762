import { z } from 'zod'
import { findActiveGroup } from '../../lookups/find-group.js'
import { notGuest } from '../../policies/allow.js'
import { directMembers, membersOf } from '../../policies/groups.js'
import { route } from '../route.js'
import { directOnly, groupId } from './params.js'

export const getUserGroupMembers = route({
  operation: 'get_user_group_members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  doc: 'Lists the users in a group, directly or through its subgroups. Not for guests.',
  allow: notGuest,
  params: z.object({
    user_group_id: groupId(),
    direct_member_only: directOnly().describe('Whether to list only direct members.'),
  }),
  returns: z.object({ members: z.array(z.int()).describe('Active users, ids ascending.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx: { directory }, params: { user_group_id, direct_member_only } }) {
    await directory.fresh()
    const group = findActiveGroup(directory, user_group_id)
    return { members: direct_member_only ? directMembers(directory, group) : membersOf(directory, group.id) }
  },
})
