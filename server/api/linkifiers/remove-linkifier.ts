import { z } from 'zod'
import { removeLinkifier as removeFromList } from '../../actions/linkifiers/edit-list.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeLinkifier = route({
  operation: 'remove_linkifier',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  doc: 'Removes a linkifier. Messages that were rendered with it keep their links. Administrators only.',
  allow: administrators,
  params: z.object({ filter_id: pathId().describe('The linkifier.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { filter_id } }) {
    await removeFromList(ctx, actor, filter_id)
    return {}
  },
})
