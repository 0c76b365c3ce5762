import { z } from 'zod'
import { removeDefaultGroup } from '../../actions/default-channels/change-groups.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { groupId } from './params.js'

export const removeDefaultStreamGroup = route({
  operation: 'remove_default_stream_group',
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  doc: 'Removes a group of default channels; its channels stay. Administrators only.',
  allow: administrators,
  params: z.object({ group_id: groupId() }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { group_id } }) {
    await removeDefaultGroup(ctx, actor, group_id)
    return {}
  },
})
