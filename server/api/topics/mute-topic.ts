import { z } from 'zod'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { codePoints, limits } from '../../../shared/limits.js'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { topicOf } from '../../actions/messages/recipients.js'
import { setPolicy } from '../../actions/topics/set-policy.js'
import type { Ctx } from '../../ctx.js'
import { cutText, shortId, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const muteTopic = route({
  operation: 'mute_topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  doc: 'Mutes a topic, or takes that back. For older clients: `update_user_topic` sets every policy. Repeating it is no error.',
  allow: anyAccount,
  params: z.object({
    stream_id: shortId().optional().describe('The channel.'),
    stream: text().optional().describe('Its name, instead of the id.'),
    topic: cutText()
      .refine(topic => codePoints(topic.trim()) <= limits.max_topic_length, 'Topic too long.')
      .describe('The topic, in any case.'),
    op: word('add', 'remove').describe('`add` mutes it.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'REQUEST_CONFUSING_VAR'],
  async handle({ ctx, actor, params }) {
    const channelId = await channelOf(ctx, params)
    const place = { channelId, topic: await topicOf(ctx, channelId, params.topic) }
    await setPolicy(ctx, actor, place, params.op === 'add' ? visibilityPolicy.muted : visibilityPolicy.inherit)
    return {}
  },
})

async function channelOf(ctx: Ctx, { stream_id, stream }: { stream_id?: number; stream?: string }): Promise<number> {
  if (stream_id !== undefined && stream !== undefined) {
    throw new ApiError('REQUEST_CONFUSING_VAR', "Can't decide between 'stream_id' and 'stream' arguments", {
      var_name1: 'stream_id',
      var_name2: 'stream',
    })
  }
  if (stream_id !== undefined) return stream_id
  if (stream === undefined) throw badRequest('Missing stream_id')
  await ctx.directory.fresh()
  const channel = ctx.directory.channelNamed(stream)
  // Whether the caller may know the channel is decided by the id: both are refused with the same words.
  if (!channel) throw badRequest('Invalid channel ID')
  return channel.id
}
