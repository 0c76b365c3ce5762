import { z } from 'zod'
import { deactivateGroup } from '../../actions/groups/deactivate-group.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { groupId } from './params.js'

export const deactivateUserGroup = route({
  operation: 'deactivate_user_group',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  doc: 'Deactivates a group that no other group and no setting uses. For users with its `can_manage_group`, or with `can_manage_all_groups`.',
  allow: anyAccount,
  params: z.object({ user_group_id: groupId() }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_group_id } }) {
    await deactivateGroup(ctx, actor, user_group_id)
    return {}
  },
})
