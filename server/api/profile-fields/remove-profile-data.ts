import { z } from 'zod'
import { changeOwnProfile } from '../../actions/users/change-own-profile.js'
import { budgets } from '../../config/budgets.js'
import { idList, json } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeProfileData = route({
  operation: 'remove_profile_data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  doc: 'Deletes your values of these custom profile fields, all or none.',
  allow: anyHuman,
  params: z.object({ data: json(idList(budgets.profileFields.most)).describe('Ids of the fields.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { data } }) {
    const given = data.map(id => ({ id, value: null }))
    await changeOwnProfile(ctx, actor, given)
    return {}
  },
})
