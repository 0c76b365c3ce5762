import { z } from 'zod'
import { addReaction } from '../../actions/messages/reactions.js'
import { emojiCode, pathId, reactionType, text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const addReactionRoute = route({
  operation: 'add_reaction',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  doc: 'Adds a reaction with an emoji to a message.',
  allow: anyAccount,
  isTool: true,
  params: z.object({
    message_id: pathId().describe('The message.'),
    emoji_name: text().describe('A name of the emoji.'),
    emoji_code: emojiCode().optional().describe('The code of the emoji; default: the code of the name.'),
    reaction_type: reactionType().optional().describe('Default: the type of the emoji with this name.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'REACTION_ALREADY_EXISTS'],
  async handle({ ctx, actor, params: { message_id, ...emoji } }) {
    await addReaction(ctx, actor, message_id, emoji)
    return {}
  },
})
