import { z } from 'zod'
import { codePoints } from '../../../shared/limits.js'
import { findMessage } from '../../lookups/find-message.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const getStreamedText = route({
  operation: 'get_streamed_text',
  method: 'GET',
  path: '/messages/{message_id}/text',
  doc: 'Returns the Markdown source of a message, as far as it has grown.',
  allow: anyAccount,
  params: z.object({ message_id: pathId().describe('The message.') }),
  returns: z.object({
    text: z.string(),
    length: z.int().describe('In Unicode code points: the position of the next piece.'),
    is_growing: z.boolean(),
  }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { message_id } }) {
    const growing = await ctx.streamedTexts.read(message_id)
    // After the text of Redis: a message that ends meanwhile is stored by then.
    const { message } = await findMessage(ctx, ctx.sql, actor, message_id)
    const isGrowing = growing !== undefined && message.last_edit_time === null
    const text = isGrowing ? growing : message.content
    return { text, length: codePoints(text), is_growing: isGrowing }
  },
})
