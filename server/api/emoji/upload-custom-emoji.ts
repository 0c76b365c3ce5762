import { z } from 'zod'
import { addCustomEmoji, emojiNamePattern } from '../../actions/pictures/custom-emoji.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const uploadCustomEmoji = route({
  operation: 'upload_custom_emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  doc: 'Makes the one picture of a multipart form, at most 5 MiB, an emoji of the organization. Holders of `can_add_custom_emoji_group` only, no guests and bots.',
  allow: anyAccount,
  params: z.object({
    emoji_name: text()
      .meta({ pattern: emojiNamePattern.source })
      .describe('Its name. A space becomes `_`. Only administrators may take a built-in name.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  file: 'bytes',
  largeBody: mostPictureBody,
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params, files, signal }) {
    return creating(
      ctx => addCustomEmoji(ctx, actor, { given: params.emoji_name, files, signal }),
      () => ({}),
    )
  },
})
