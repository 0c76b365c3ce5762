import { z } from 'zod'
import { updateChannel } from '../../actions/channels/update-channel.js'
import { shortId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeDefaultStream = route({
  operation: 'remove_default_stream',
  method: 'DELETE',
  path: '/default_streams',
  doc: 'New members are no longer subscribed to the channel. Administrators only.',
  allow: administrators,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id } }) {
    await updateChannel(ctx, actor, stream_id, { is_default: false, unarchive: false, groups: {} })
    return {}
  },
})
