import { z } from 'zod'
import { revokeInvitation } from '../../actions/accounts/manage-invitation.js'
import { shortId } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { route } from '../route.js'

export const revokeEmailInvite = route({
  operation: 'revoke_email_invite',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  doc: 'Ends an invitation by mail: its link is invalid at once. For the account that made it, and administrators.',
  allow: humanMembers,
  params: z.object({ invite_id: shortId().describe('An invitation by mail.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { invite_id } }) {
    await revokeInvitation(ctx, actor, { id: invite_id, isLink: false })
    return {}
  },
})
