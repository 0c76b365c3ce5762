import { z } from 'zod'
import { makeInvitationLink } from '../../actions/accounts/invite.js'
import { humanMembers } from '../../policies/allow.js'
import { linkUrl } from '../../presenters/invitation-object.js'
import { route } from '../route.js'
import { channelIds, termsOf, termsParams } from './params.js'

export const createInviteLink = route({
  operation: 'create_invite_link',
  method: 'POST',
  path: '/invites/multiuse',
  doc: 'Makes a link through which any number of people can join. For members of `create_multiuse_invite_group`.',
  allow: humanMembers,
  params: z.object({
    stream_ids: channelIds()
      .default([])
      .describe(
        'Channels to which new accounts are subscribed. The caller may subscribe others to each, or it is a default channel.',
      ),
    ...termsParams,
  }),
  returns: z.object({ invite_link: z.string() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  creates: true,
  isSecret: true,
  async handle({ ctx: { publicUrl }, creating, actor, params }) {
    return creating(
      ctx => makeInvitationLink(ctx, actor, { ...termsOf(params), notifiesInviter: false }),
      key => ({ invite_link: linkUrl(publicUrl, key) }),
    )
  },
})
