import type { Route } from '../route.js'
import { createInviteLink } from './create-invite-link.js'
import { getInvites } from './get-invites.js'
import { resendEmailInvite } from './resend-email-invite.js'
import { revokeEmailInvite } from './revoke-email-invite.js'
import { revokeInviteLink } from './revoke-invite-link.js'
import { sendInvites } from './send-invites.js'

export const invitesRoutes: readonly Route[] = [
  getInvites,
  sendInvites,
  createInviteLink,
  resendEmailInvite,
  revokeEmailInvite,
  revokeInviteLink,
]
