import { z } from 'zod'
import { deleteAvatar as change } from '../../actions/pictures/avatar.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteAvatar = route({
  operation: 'delete_avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  doc: 'Removes your avatar: the default one is shown again.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ avatar_url: z.string() }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor }) {
    return { avatar_url: await change(ctx, actor) }
  },
})
