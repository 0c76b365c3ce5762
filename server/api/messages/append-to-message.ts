import { z } from 'zod'
import { limits } from '../../../shared/limits.js'
import { appendPiece } from '../../actions/messages/append-piece.js'
import { integer, pathId, storableText } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const appendToMessage = route({
  operation: 'append_to_message',
  method: 'POST',
  path: '/messages/{message_id}/text',
  doc: 'Appends a piece to one of your streamed messages. A repeated request appends nothing.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    message_id: pathId().describe('The message.'),
    position: integer({ min: 0, max: limits.max_message_length }).describe(
      'The length of the text before the piece, in Unicode code points.',
    ),
    text: storableText(limits.max_message_length).describe('The piece; empty: only a sign of life.'),
  }),
  returns: z.object({ length: z.int().describe('The length of the text, in Unicode code points.') }),
  errors: ['BAD_REQUEST', 'MESSAGE_NOT_GROWING', 'WRONG_POSITION'],
  async handle({ ctx, actor, params: { message_id, position, text } }) {
    return { length: await appendPiece(ctx, actor, { messageId: message_id, position, text }) }
  },
})
