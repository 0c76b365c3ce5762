import { z } from 'zod'
import { changeOwnProfile } from '../../actions/users/change-own-profile.js'
import { budgets } from '../../config/budgets.js'
import { json, list } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'
import { profileValue } from '../users/update-params.js'

export const updateProfileData = route({
  operation: 'update_profile_data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  doc: 'Sets values of your custom profile fields, all or none. Bots have no profile.',
  allow: anyHuman,
  params: z.object({
    data: json(list(profileValue, budgets.profileFields.most)).describe(
      'Values by the id of the field; null, "" and [] delete a value. Of several values for one field the last counts.',
    ),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { data } }) {
    await changeOwnProfile(ctx, actor, data)
    return {}
  },
})
