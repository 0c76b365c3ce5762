import { z } from 'zod'
import { resendInvitation } from '../../actions/accounts/manage-invitation.js'
import { shortId } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { route } from '../route.js'

export const resendEmailInvite = route({
  operation: 'resend_email_invite',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  doc: 'Mails an open invitation again, with the same link and the same end. For the account that made it, and administrators.',
  allow: humanMembers,
  params: z.object({ invite_id: shortId().describe('An invitation by mail.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { invite_id } }) {
    await resendInvitation(ctx, actor, invite_id)
    return {}
  },
})
