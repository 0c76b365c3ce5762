import { z } from 'zod'
import { topicFor } from '../../../shared/resources/topic.js'
import { findChannel } from '../../lookups/find-channel.js'
import { boolean, shortId } from '../../params/schemas.js'
import { realmSetting } from '../../policies/settings.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { receivedTopics } from '../../store/topics/channel-topics.js'
import { route } from '../route.js'

export const getTopics = route({
  operation: 'get_topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  doc: 'Lists the topics of a channel; the topic with the newest message comes first.',
  allow: 'optional',
  isTool: true,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    allow_empty_topic_name: boolean()
      .default(false)
      .describe('False: the empty topic has its display name in the answer.'),
  }),
  returns: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED'],
  async handle({ ctx, actor, params: { stream_id, allow_empty_topic_name } }) {
    if (!actor) await ctx.directory.fresh()
    requireSpectatorAccess(ctx.directory, actor)
    const { channel } = await findChannel(ctx, ctx.sql, actor, { channelId: stream_id })
    const topics = channel.history_public_to_subscribers
      ? await ctx.memory.channelTopics.list(ctx.sql, stream_id)
      : await receivedTopics(ctx.sql, stream_id, actor?.user.id ?? 0)
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    const view = { empty_topic_name: allow_empty_topic_name }
    return { topics: topics.map(({ name, max_id }) => ({ name: topicFor(view, name, displayName), max_id })) }
  },
})
