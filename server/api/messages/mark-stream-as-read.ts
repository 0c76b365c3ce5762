import { z } from 'zod'
import { markNarrowRead } from '../../actions/messages/mark-read.js'
import { readableChannel } from '../../lookups/find-channel.js'
import { loadReader } from '../../lookups/load-reader.js'
import { shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const markStreamAsRead = route({
  operation: 'mark_stream_as_read',
  method: 'POST',
  path: '/mark_stream_as_read',
  doc: 'Marks all messages of a channel as read.',
  allow: anyAccount,
  params: z.object({ stream_id: shortId().describe('The channel.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream_id } }) {
    await readableChannel(ctx, actor, stream_id)
    const reader = await loadReader(ctx, actor)
    await markNarrowRead(ctx, reader, {
      userId: reader.userId,
      receivable: reader.receivable,
      scope: 'received',
      conditions: [{ kind: 'channels', channelIds: [stream_id], negated: false }],
    })
    return {}
  },
})
