import { z } from 'zod'
import { changeStatusOf } from '../../actions/users/change-status.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { noNewStatus, statusConditions, statusParams } from './status-params.js'

export const updateStatusForUser = route({
  operation: 'update_status_for_user',
  method: 'POST',
  path: '/users/{user_id}/status',
  doc: 'Changes the status of an active user. For administrators.',
  allow: administrators,
  params: z.object({ user_id: pathId().describe('The user.'), ...statusParams }),
  requires: [...statusConditions, { anyOf: ['status_text', 'emoji_name'], refusal: noNewStatus }],
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id, ...change } }) {
    await changeStatusOf(ctx, actor, user_id, change)
    return {}
  },
})
