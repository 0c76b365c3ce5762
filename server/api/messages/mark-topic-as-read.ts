import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { markNarrowRead } from '../../actions/messages/mark-read.js'
import { topicOf } from '../../actions/messages/recipients.js'
import { readableChannel } from '../../lookups/find-channel.js'
import { loadReader } from '../../lookups/load-reader.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import { cutText, shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { readsWholeHistory } from '../../policies/reading.js'
import { messageIds } from '../../store/pages/message-pages.js'
import { route } from '../route.js'

export const markTopicAsRead = route({
  operation: 'mark_topic_as_read',
  method: 'POST',
  path: '/mark_topic_as_read',
  doc: 'Marks all messages of a topic as read.',
  allow: anyAccount,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    topic_name: cutText().describe('The topic, in any case.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream_id, topic_name } }) {
    const { channel } = await readableChannel(ctx, actor, stream_id)
    const reader = await loadReader(ctx, actor)
    const narrow: Narrow = {
      userId: reader.userId,
      receivable: reader.receivable,
      scope: readsWholeHistory(ctx.directory, reader, channel) ? null : 'received',
      conditions: [
        { kind: 'channels', channelIds: [stream_id], negated: false },
        { kind: 'topic', topic: await topicOf(ctx, stream_id, topic_name), negated: false },
      ],
    }
    if (await markNarrowRead(ctx, reader, narrow)) return {}
    const [any] = await messageIds(ctx.sql, narrow, [{ limit: 1, newestFirst: true }])
    if (any === undefined) throw badRequest(`No such topic '${topic_name}'`)
    return {}
  },
})
