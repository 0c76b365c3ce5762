import { z } from 'zod'
import { updateChannel } from '../../actions/channels/update-channel.js'
import { shortId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const addDefaultStream = route({
  operation: 'add_default_stream',
  method: 'POST',
  path: '/default_streams',
  doc: 'Makes a public channel a default one: new members are subscribed to it. Has no effect on a default channel. Administrators only.',
  allow: administrators,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id } }) {
    await updateChannel(ctx, actor, stream_id, { is_default: true, unarchive: false, groups: {} })
    return {}
  },
})
