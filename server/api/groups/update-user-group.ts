import { z } from 'zod'
import { groupPermissionNames } from '../../../shared/resources/user-group.js'
import { updateGroup } from '../../actions/groups/update-group.js'
import { boolean } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { given, groupDescription, groupId, groupName, settingUpdates } from './params.js'

export const updateUserGroup = route({
  operation: 'update_user_group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  doc: 'Changes the name, description or settings of a group, deactivated or not, or reactivates it. For users with its `can_manage_group`, or with `can_manage_all_groups`.',
  allow: anyAccount,
  params: z.object({
    user_group_id: groupId(),
    name: groupName.optional().describe('Unique, case-sensitive, deactivated groups included.'),
    description: groupDescription.optional().describe('The purpose of the group.'),
    deactivated: boolean().optional().describe('False reactivates the group; true has no effect.'),
    ...settingUpdates,
  }),
  requires: [
    { anyOf: ['name', 'description', 'deactivated', ...groupPermissionNames], refusal: 'No new data supplied' },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'SYSTEM_GROUP_REQUIRED', 'EXPECTATION_MISMATCH'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    const { user_group_id, name, description, deactivated } = params
    const update = { name, description, deactivated, settings: given(params) }
    await updateGroup(ctx, actor, user_group_id, update)
    return {}
  },
})
