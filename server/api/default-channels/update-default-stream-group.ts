import { z } from 'zod'
import { changeDefaultGroup } from '../../actions/default-channels/change-groups.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { groupDescription, groupId, groupName } from './params.js'

export const updateDefaultStreamGroup = route({
  operation: 'update_default_stream_group',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  doc: 'Changes the name or the description of a group of default channels. Administrators only.',
  allow: administrators,
  params: z.object({
    group_id: groupId(),
    new_group_name: groupName.optional().describe('The new name.'),
    new_description: groupDescription.optional().describe('The new description.'),
  }),
  requires: [
    {
      anyOf: ['new_group_name', 'new_description'],
      refusal: 'You must pass "new_description" or "new_group_name".',
    },
  ],
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { group_id, new_group_name, new_description } }) {
    const change = {
      ...(new_group_name !== undefined && { name: new_group_name }),
      ...(new_description !== undefined && { description: new_description }),
    }
    await changeDefaultGroup(ctx, actor, group_id, change)
    return {}
  },
})
