import { z } from 'zod'
import { changeDefaultGroupChannels } from '../../actions/default-channels/change-groups.js'
import { word } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { channelNames, groupId } from './params.js'

export const updateDefaultStreamGroupStreams = route({
  operation: 'update_default_stream_group_streams',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  doc: 'Adds channels to a group of default channels, or removes them; all or none. Administrators only.',
  allow: administrators,
  params: z.object({
    group_id: groupId(),
    op: word('add', 'remove').describe('What happens to the channels.'),
    stream_names: channelNames().describe(
      'To add: public channels that are neither default channels nor in the group. To remove: channels of the group.',
    ),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { group_id, op, stream_names } }) {
    await changeDefaultGroupChannels(ctx, actor, group_id, { op, channelNames: stream_names })
    return {}
  },
})
