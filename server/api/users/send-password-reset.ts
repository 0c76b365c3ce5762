import { z } from 'zod'
import { offerPasswordReset } from '../../actions/users/change-access.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const sendPasswordReset = route({
  operation: 'send_password_reset',
  method: 'POST',
  path: '/users/{user_id}/password_reset',
  doc:
    'Mails a person the link that sets a new password. The present password stays until the person uses it. Administrators only; for an owner ' +
    'only owners.',
  allow: administrators,
  params: z.object({ user_id: pathId().describe('An active person.') }),
  returns: z.object({
    link: z
      .string()
      .nullable()
      .describe('The link, if the server sends no mails: hand it over yourself. Null: mailed.'),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'RATE_LIMIT_HIT'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id } }) {
    const path = await offerPasswordReset(ctx, actor, user_id)
    return { link: path && `${ctx.publicUrl}${path}` }
  },
})
