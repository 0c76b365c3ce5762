import { z } from 'zod'
import { inviteByMail } from '../../actions/accounts/invite.js'
import { invitationFailed, type RefusedAddress } from '../../actions/accounts/invited-addresses.js'
import { budgets } from '../../config/budgets.js'
import { boolean, text } from '../../params/schemas.js'
import { humanMembers } from '../../policies/allow.js'
import { type Fields, JsonFields, route } from '../route.js'
import { channelIds, termsOf, termsParams } from './params.js'

export const sendInvites = route({
  operation: 'send_invites',
  method: 'POST',
  path: '/invites',
  doc: 'Invites people by mail. For members of `can_invite_users_group`. All addresses are invited or none, but those that have accounts are left out.',
  allow: humanMembers,
  params: z.object({
    invitee_emails: text(budgets.invitedCharacters.most).describe(
      'Addresses, separated by commas or line ends. Of `Name <address>` the name is ignored.',
    ),
    stream_ids: channelIds().describe(
      'Channels to which the new account is subscribed. The caller may subscribe others to each, or it is a default channel.',
    ),
    notify_referrer_on_join: boolean().default(true).describe('Send the caller a message when the person has joined.'),
    ...termsParams,
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'INVITATION_FAILED'],
  isAdministrative: true,
  creates: true,
  async handle({ creating, actor, params }) {
    const wanted = {
      ...termsOf(params),
      addresses: params.invitee_emails,
      notifiesInviter: params.notify_referrer_on_join,
    }
    // The refused addresses are stored as the answer, so that a repeated request gets the same error.
    const fields = await creating(
      ctx => inviteByMail(ctx, actor, wanted),
      errors => ({ errors }),
    )
    const errors = refusedIn(fields)
    if (errors.length > 0)
      throw invitationFailed('Some of the addresses have accounts. The others were invited.', errors, true)
    return {}
  },
})

function refusedIn(fields: Fields): readonly RefusedAddress[] {
  const { errors } = fields instanceof JsonFields ? JSON.parse(`{${fields.text}}`) : fields
  return errors as readonly RefusedAddress[]
}
