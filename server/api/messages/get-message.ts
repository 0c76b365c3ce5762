import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { messageObject } from '../../../shared/resources/message.js'
import { findAnswerMessage } from '../../lookups/find-message.js'
import { knownToReader } from '../../lookups/known-to-reader.js'
import { boolean, pathId } from '../../params/schemas.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { messageAnswers } from '../../presenters/message-answers.js'
import { route } from '../route.js'

export const getMessage = route({
  operation: 'get_message',
  method: 'GET',
  path: '/messages/{message_id}',
  doc: 'Returns one message.',
  allow: 'optional',
  isTool: true,
  params: z.object({
    message_id: pathId().describe('The message.'),
    apply_markdown: boolean().default(true).describe('HTML instead of the Markdown source.'),
    allow_empty_topic_name: boolean()
      .default(false)
      .describe('False: the empty topic has its display name in the answer.'),
  }),
  returns: z.object({ message: messageObject, raw_content: z.string() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED'],
  async handle({ ctx, actor, params }) {
    if (!actor) await ctx.directory.fresh()
    requireSpectatorAccess(ctx.directory, actor)
    const found = await findAnswerMessage(ctx, actor, params.message_id).catch(error => {
      // A spectator might see the message after signing in, so the answer asks for that.
      throw actor || !(error instanceof ApiError)
        ? error
        : new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
    })
    const form = {
      apply_markdown: params.apply_markdown,
      client_gravatar: true,
      empty_topic_name: params.allow_empty_topic_name,
    }
    const rows = [found.message]
    const [message] = messageAnswers(ctx, rows, form, await knownToReader(ctx, ctx.sql, found.user, rows))
    return { message, raw_content: found.message.content }
  },
})
