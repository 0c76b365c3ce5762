import { z } from 'zod'
import { editLinkifier } from '../../actions/linkifiers/edit-list.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { linkifierParams } from './params.js'

export const updateLinkifier = route({
  operation: 'update_linkifier',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  doc: 'Changes a linkifier. Absent parameters keep their values, but pattern and template are required. Administrators only.',
  allow: administrators,
  params: z.object({ filter_id: pathId().describe('The linkifier.'), ...linkifierParams }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { filter_id, ...change } }) {
    await editLinkifier(ctx, actor, filter_id, change)
    return {}
  },
})
