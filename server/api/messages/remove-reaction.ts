import { z } from 'zod'
import { removeReaction } from '../../actions/messages/reactions.js'
import { emojiCode, pathId, reactionType, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeReactionRoute = route({
  operation: 'remove_reaction',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  doc: 'Removes one of your reactions.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    message_id: pathId().describe('The message.'),
    emoji_name: text().optional().describe('Used only without a code.'),
    emoji_code: emojiCode().optional().describe('The code of the emoji, within its type.'),
    reaction_type: reactionType().optional().describe('Default: `unicode_emoji`.'),
  }),
  requires: [
    {
      anyOf: ['emoji_name', 'emoji_code'],
      refusal: 'At least one of the following arguments must be present: emoji_name, emoji_code',
    },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'REACTION_DOES_NOT_EXIST'],
  async handle({ ctx, actor, params: { message_id, ...emoji } }) {
    await removeReaction(ctx, actor, message_id, emoji)
    return {}
  },
})
