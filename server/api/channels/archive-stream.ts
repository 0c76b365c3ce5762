import { z } from 'zod'
import { archiveChannel } from '../../actions/channels/archive-channel.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const archiveStream = route({
  operation: 'archive_stream',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  doc: 'Archives a channel: its messages stay, and new ones are refused. For administrators and members of `can_administer_channel_group`.',
  allow: anyAccount,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id } }) {
    await archiveChannel(ctx, actor, stream_id)
    return {}
  },
})
