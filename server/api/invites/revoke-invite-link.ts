import { z } from 'zod'
import { revokeInvitation } from '../../actions/accounts/manage-invitation.js'
import { shortId } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { route } from '../route.js'

export const revokeInviteLink = route({
  operation: 'revoke_invite_link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  doc: 'Ends an invitation link: it is invalid at once. For the account that made it, and administrators.',
  allow: humanMembers,
  params: z.object({ invite_id: shortId().describe('An invitation link; these have ids of their own.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { invite_id } }) {
    await revokeInvitation(ctx, actor, { id: invite_id, isLink: true })
    return {}
  },
})
