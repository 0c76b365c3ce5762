import { z } from 'zod'
import { topicOf } from '../../actions/messages/recipients.js'
import { removeTopic } from '../../actions/messages/remove-topic.js'
import { cutText, shortId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteTopic = route({
  operation: 'delete_topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  doc: 'Deletes all messages of a topic that you can see, newest first. Administrators only.',
  allow: administrators,
  params: z.object({
    stream_id: shortId().describe('The channel.'),
    topic_name: cutText().describe(
      'The topic, in any case. The display name of the empty topic means the empty topic.',
    ),
  }),
  returns: z.object({
    complete: z
      .boolean()
      .describe('False: the time limit stopped the request. Repeat it to delete the remaining messages.'),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { stream_id, topic_name }, signal }) {
    const topic = { channelId: stream_id, topic: await topicOf(ctx, stream_id, topic_name) }
    return { complete: await removeTopic(ctx, actor, topic, signal) }
  },
})
