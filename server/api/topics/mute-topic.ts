import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { topicOf } from '../../actions/messages/recipients.js'
import { setPolicy } from '../../actions/topics/set-policy.js'
import type { Ctx } from '../../ctx.js'
import { notBoth, required } from '../../params/conditions.js'
import { shortId, text, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { namedTopic } from './params.js'

export const muteTopic = route({
  operation: 'mute_topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  doc: 'Mutes a topic, or takes that back. For older clients: `update_user_topic` sets every policy. Repeating it is no error.',
  allow: anyAccount,
  params: z.object({
    stream_id: shortId().optional().describe('The channel.'),
    stream: text().optional().describe('Its name, instead of the id.'),
    topic: namedTopic().describe('The topic, in any case.'),
    op: word('add', 'remove').describe('`add` mutes it.'),
  }),
  requires: [notBoth('stream_id', 'stream'), { anyOf: ['stream_id', 'stream'], refusal: 'Missing stream_id' }],
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
  if (stream_id !== undefined) return stream_id
  await ctx.directory.fresh()
  const channel = ctx.directory.channelNamed(required(stream))
  // Whether the caller may know the channel is decided by the id: both are refused with the same words.
  if (!channel) throw badRequest('Invalid channel ID')
  return channel.id
}
