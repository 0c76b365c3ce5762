import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { messageSnapshot } from '../../../shared/resources/message.js'
import { findAnswerMessage } from '../../lookups/find-message.js'
import { knownToReader } from '../../lookups/known-to-reader.js'
import { boolean, pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { messageAnswers, shownEdits } from '../../presenters/message-answers.js'
import { messageSnapshots } from '../../presenters/message-snapshots.js'
import { route } from '../route.js'

export const getMessageHistory = route({
  operation: 'get_message_history',
  method: 'GET',
  path: '/messages/{message_id}/history',
  doc: 'The states of a message, oldest first. Shows as much as the organization shows of the edits of messages.',
  allow: anyAccount,
  params: z.object({
    message_id: pathId().describe('The message.'),
    allow_empty_topic_name: boolean()
      .default(false)
      .describe('False: the empty topic has its display name in the answer.'),
  }),
  returns: z.object({ message_history: z.array(messageSnapshot) }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    const { message: row, user } = await findAnswerMessage(ctx, actor, params.message_id)
    if (shownEdits(ctx) === 'none') throw badRequest('Message edit history is disabled in this organization')
    const form = { apply_markdown: true, client_gravatar: true, empty_topic_name: params.allow_empty_topic_name }
    const [message] = messageAnswers(ctx, [row], form, await knownToReader(ctx, ctx.sql, user, [row]))
    if (!message) throw badRequest('Invalid message(s)')
    const { sender_id, timestamp, subject: topic, edit_history: edits = [] } = message
    const { content, rendered_content } = row
    return { message_history: messageSnapshots({ content, rendered_content, topic, sender_id, timestamp, edits }) }
  },
})
