import { z } from 'zod'
import { setAvatar as change } from '../../actions/pictures/avatar.js'
import { mostPictureBody } from '../../actions/pictures/stored-picture.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const setAvatar = route({
  operation: 'set_avatar',
  method: 'POST',
  path: '/users/me/avatar',
  doc: 'Makes the one picture of a multipart form, at most 5 MiB, your avatar.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ avatar_url: z.string() }),
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  file: 'bytes',
  largeBody: mostPictureBody,
  async handle({ ctx, actor, files, signal }) {
    return { avatar_url: await change(ctx, actor, files, signal) }
  },
})
