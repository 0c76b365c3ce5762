import { z } from 'zod'
import { removePlayground as removeFromList } from '../../actions/organization-lists/playgrounds.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const removePlayground = route({
  operation: 'remove_playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  doc: 'Removes a playground. If `default_code_block_language` was its language, that becomes empty. Administrators only.',
  allow: administrators,
  params: z.object({ playground_id: pathId().describe('The playground.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { playground_id } }) {
    await removeFromList(ctx, actor, playground_id)
    return {}
  },
})
