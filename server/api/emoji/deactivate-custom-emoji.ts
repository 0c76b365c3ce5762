import { z } from 'zod'
import { removeCustomEmoji } from '../../actions/pictures/custom-emoji.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deactivateCustomEmoji = route({
  operation: 'deactivate_custom_emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  doc: 'Deactivates a custom emoji: messages and reactions that have it still show it. Administrators and its author only.',
  allow: anyAccount,
  params: z.object({ emoji_name: text().describe('Its name.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', ['BAD_REQUEST', 404]],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await removeCustomEmoji(ctx, actor, params.emoji_name)
    return {}
  },
})
