import { z } from 'zod'
import { findActiveGroup } from '../../lookups/find-group.js'
import { notGuest } from '../../policies/allow.js'
import { subgroupsWithin } from '../../policies/group-closure.js'
import { route } from '../route.js'
import { directOnly, groupId } from './params.js'

export const getUserGroupSubgroups = route({
  operation: 'get_user_group_subgroups',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  doc: 'Lists the groups that a group contains, directly or through its subgroups. Not for guests.',
  allow: notGuest,
  params: z.object({
    user_group_id: groupId(),
    direct_subgroup_only: directOnly().describe('Whether to list only direct subgroups.'),
  }),
  returns: z.object({ subgroups: z.array(z.int()).describe('Ids ascending, without the group itself.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx: { directory }, params: { user_group_id, direct_subgroup_only } }) {
    await directory.fresh()
    const group = findActiveGroup(directory, user_group_id)
    return { subgroups: direct_subgroup_only ? group.subgroups : subgroupsWithin(directory, group.id) }
  },
})
