import { z } from 'zod'
import { invitation } from '../../../shared/resources/invitation.js'
import { currentUser } from '../../lookups/find-user.js'
import { humanMembers } from '../../policies/allow.js'
import { seesAllInvitations, seesLink, seesMailedLink } from '../../policies/invitations.js'
import { invitationObject } from '../../presenters/invitation-object.js'
import { type InvitationRow, openInvitations } from '../../store/accounts/invitations.js'
import { route } from '../route.js'

export const getInvites = route({
  operation: 'get_invites',
  method: 'GET',
  path: '/invites',
  doc: 'The open invitations, first those by mail, then links: those of all accounts for administrators, otherwise the own ones.',
  allow: humanMembers,
  params: z.object({}),
  returns: z.object({ invites: z.array(invitation) }),
  errors: ['BAD_REQUEST'],
  isSecret: true,
  async handle({ ctx, actor }) {
    await ctx.directory.fresh()
    const user = currentUser(ctx.directory, actor.user)
    humanMembers({ user })
    const now = new Date(ctx.clock.now())
    const rows = await openInvitations(ctx.sql, seesAllInvitations(user) ? null : user.id, now)
    const sendsMails = ctx.config.smtpUrl !== undefined
    const sees = (row: InvitationRow) =>
      row.email === null ? seesLink(user, row) : seesMailedLink(user, row, sendsMails)
    return { invites: rows.map(row => invitationObject(row, sees(row) ? ctx.publicUrl : null)) }
  },
})
