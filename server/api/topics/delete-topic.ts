import { z } from 'zod'
import { topicOf } from '../../actions/messages/recipients.js'
import { removeTopic } from '../../actions/topics/remove-topic.js'
import { cutText, shortId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteTopic = route({
  operation: 'delete_topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  doc: 'Delete all messages of a topic that you can see, the newest first. Only for administrators.',
  allow: administrators,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    topic_name: cutText().describe('The topic; case does not matter. The display name of the empty topic means that.'),
  }),
  returns: z.object({ complete: z.boolean().describe('False: it took too long. Repeat the request for the rest.') }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id, topic_name }, signal }) {
    const topic = { channelId: stream_id, topic: await topicOf(ctx, stream_id, topic_name) }
    return { complete: await removeTopic(ctx, actor, topic, signal) }
  },
})
