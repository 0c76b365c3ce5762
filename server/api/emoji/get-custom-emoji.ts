import { z } from 'zod'
import { customEmojiMap } from '../../../shared/resources/custom-emoji.js'
import { anyAccount } from '../../policies/allow.js'
import { customEmojiMapOf } from '../../presenters/custom-emoji.js'
import { route } from '../route.js'

export const getCustomEmoji = route({
  operation: 'get_custom_emoji',
  method: 'GET',
  path: '/realm/emoji',
  doc: 'Returns the custom emoji by id, deactivated ones included.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ emoji: customEmojiMap }),
  errors: [],
  async handle({ ctx }) {
    await ctx.directory.fresh()
    return { emoji: ctx.directory.derived(customEmojiMapOf) }
  },
})
