import { z } from 'zod'
import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { topicOf } from '../../actions/messages/recipients.js'
import { setPolicy } from '../../actions/topics/set-policy.js'
import { integer, shortId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { namedTopic } from './params.js'

export const updateUserTopic = route({
  operation: 'update_user_topic',
  method: 'POST',
  path: '/user_topics',
  doc: 'Sets your visibility policy for a topic, which need not exist.',
  allow: anyAccount,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    topic: namedTopic().describe('The topic, in any case. The display name of the empty topic means the empty topic.'),
    visibility_policy: integer({ min: 0, max: 3 })
      .meta({ enum: Object.values(visibilityPolicy) })
      .describe('0: inherit from the channel; 1: muted; 2: unmuted in a muted channel; 3: followed.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { stream_id, topic, visibility_policy } }) {
    const place = { channelId: stream_id, topic: await topicOf(ctx, stream_id, topic) }
    await setPolicy(ctx, actor, place, visibility_policy as VisibilityPolicy)
    return {}
  },
})
