import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import type { WorkerCtx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { countAttempt } from '../../limits/sign-in-attempts.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { humanMembers } from '../../policies/allow.js'
import { requireMayManage } from '../../policies/invitations.js'
import { admits } from '../../policies/joining.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import {
  countInvitationMails,
  forgetFailure,
  type InvitationRow,
  invitationKey,
  lockInvitation,
  removeInvitation,
  removeInvitationsOf,
} from '../../store/accounts/invitations.js'
import type { Tx } from '../../store/driver/db.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import { noteInvitations } from '../announce/invitations.js'
import { invitationMail } from './invite.js'

/** An invitation by mail, or a link. */
interface Named {
  readonly id: number
  readonly isLink: boolean
}

/** Mails the same key again. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, RATE_LIMIT_HIT */
export async function resendInvitation(ctx: WorkerCtx, actor: Actor, id: number): Promise<void> {
  const { directory } = ctx
  await countAttempt(ctx, 'invitation', String(actor.user.id), limits.invitation_requests)
  await ctx.write(async (tx, _emit, { after, audit }) => {
    const invitation = await managed(ctx, tx, actor, { id, isLink: false })
    const { email, inviter_id, role } = invitation
    if (!admits(directory, invitation)) throw badRequest('The account that invited may not give this role any more.')
    const count = { now: new Date(ctx.clock.now()), most: limits.invitation_mails_per_address }
    const tooMany = await countInvitationMails(tx, [email as string], count)
    if (tooMany.size > 0) throw badRequest(`This address has got ${count.most} invitations today.`)
    const inviter = directory.users.get(inviter_id)?.full_name ?? ''
    const language = realmSetting(directory, 'default_language')
    const content = invitationMail('invitation', inviter, invitation)
    await forgetFailure(tx, id)
    after(mail, { to: email as string, language, content }, { key: invitationKey(id) })
    audit('invitation_resent', { subject: { invite_ids: [id] }, before: null, after: { emails: [email], role } })
  })
}

/** Makes the key invalid at once, and cancels mails that wait. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function revokeInvitation(ctx: WorkerCtx, actor: Actor, named: Named): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit, { audit }) => {
    const { key, email, role, inviter_id } = await managed(ctx, tx, actor, named)
    await removeInvitation(tx, key)
    if (email !== null) await cancelJobs(tx, [invitationKey(named.id)])
    const subject = named.isLink ? { invite_link_id: named.id } : { invite_ids: [named.id] }
    audit('invites_changed', { subject, before: email === null ? { role } : { emails: [email], role }, after: {} })
    noteInvitations(emit, directory, [inviter_id])
  })
}

/** Revokes what accounts have made that are deactivated in the transaction. `after`: the directory with that. */
export async function revokeInvitationsOf(
  tx: Tx,
  emit: Emit,
  after: Directory,
  userIds: readonly number[],
): Promise<void> {
  const revoked = await removeInvitationsOf(tx, userIds)
  if (revoked.length === 0) return
  const mailed = revoked.filter(({ email }) => email !== null)
  if (mailed.length > 0)
    await cancelJobs(
      tx,
      mailed.map(({ id }) => invitationKey(id)),
    )
  noteInvitations(emit, after, [])
}

/** The invitation, in a transaction that holds the organization from now on, if the caller may manage it. */
async function managed(ctx: WorkerCtx, tx: Tx, actor: Actor, { id, isLink }: Named): Promise<InvitationRow> {
  await ctx.directory.hold(tx, 'share')
  const user = currentUser(ctx.directory, actor.user)
  humanMembers({ user })
  const invitation = await lockInvitation(tx, id, { isLink, now: new Date(ctx.clock.now()) })
  if (!invitation) throw badRequest('No such invitation')
  requireMayManage(user, invitation)
  return invitation
}
