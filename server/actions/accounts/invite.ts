import type { AuditChange } from '../../../shared/events/audit.js'
import { limits } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import type { WorkerCtx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { countAttempt } from '../../limits/sign-in-attempts.js'
import { currentUser } from '../../lookups/find-user.js'
import { isTooYoungToInvite, requireMayInvite } from '../../policies/invitations.js'
import { realmSetting } from '../../policies/settings.js'
import {
  type InvitationTerms,
  insertInvitationLink,
  insertInvitations,
  invitationKey,
} from '../../store/accounts/invitations.js'
import { noteInvitations } from '../announce/invitations.js'
import { checkedTerms, type WantedTerms } from './invitation-terms.js'
import { countMails, invitable, invitationFailed, namedAddresses, type RefusedAddress } from './invited-addresses.js'
import { newLinkKey } from './new-secrets.js'

/**
 * Invites addresses by mail: none if one of them can have no account, and those without an account if some have one already.
 * @returns the addresses that were left out, because they have accounts
 * @throws {ApiError} INVITATION_FAILED when none was invited; BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, RATE_LIMIT_HIT
 */
export async function inviteByMail(
  ctx: WorkerCtx,
  actor: Actor,
  { addresses, ...wanted }: WantedTerms & { readonly addresses: string },
): Promise<readonly RefusedAddress[]> {
  const { directory } = ctx
  const emails = namedAddresses(addresses)
  await countAttempt(ctx, 'invitation', String(actor.user.id), limits.invitation_requests)
  return ctx.write(async (tx, emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    const user = currentUser(directory, actor.user)
    requireMayInvite(directory, user, 'mail')
    if (isTooYoungToInvite(directory, user, ctx.clock.now())) {
      throw invitationFailed('Your account is too new to send invitations.', [])
    }
    const terms = await checkedTerms(ctx, tx, user, { wanted, count: emails.length })
    const { possible, present } = await invitable(tx, directory, emails)
    await countMails(tx, possible, new Date(ctx.clock.now()))
    const invited = possible.map(email => ({ email, key: newLinkKey() }))
    const ids = await insertInvitations(tx, invited, terms, reminderOf(terms))
    const language = realmSetting(directory, 'default_language')
    for (const [i, { email, key }] of invited.entries()) {
      const content = invitationMail('invitation', user.full_name, { ...terms, key })
      after(mail, { to: email, language, content }, { key: invitationKey(ids[i] as number) })
    }
    audit('invites_changed', auditOf({ invite_ids: ids }, { ...terms, emails: possible }))
    noteInvitations(emit, directory, [user.id])
    return present
  })
}

/** Makes a link through which any number of people can join. @returns its key @throws {ApiError} as `inviteByMail` */
export async function makeInvitationLink(ctx: WorkerCtx, actor: Actor, wanted: WantedTerms): Promise<string> {
  const { directory } = ctx
  await countAttempt(ctx, 'invitation', String(actor.user.id), limits.invitation_requests)
  return ctx.write(async (tx, emit, { audit }) => {
    await directory.hold(tx, 'share')
    const user = currentUser(directory, actor.user)
    requireMayInvite(directory, user, 'link')
    const terms = await checkedTerms(ctx, tx, user, { wanted, count: 1 })
    const key = newLinkKey()
    const id = await insertInvitationLink(tx, key, terms)
    audit('invites_changed', auditOf({ invite_link_id: id }, terms))
    noteInvitations(emit, directory, [user.id])
    return key
  })
}

/** The words of an invitation or its reminder. */
export const invitationMail = (
  kind: 'invitation' | 'invitation_reminder',
  inviter: string,
  { key, expires }: { readonly key: string; readonly expires: Date | null },
) => ({ kind, inviter, key, expires: expires && Math.floor(expires.getTime() / 1000) })

const dayMs = 86_400_000

/** Two days before the end; null: never, because the invitation is not valid for long enough, or forever. */
function reminderOf({ created, expires }: InvitationTerms): Date | null {
  if (!expires || expires.getTime() - created.getTime() < 4 * dayMs) return null
  return new Date(expires.getTime() - 2 * dayMs)
}

/** Without the key, which lets people in. */
function auditOf(
  subject: AuditChange['subject'],
  terms: InvitationTerms & { readonly emails?: readonly string[] },
): AuditChange {
  const { emails, role, expires, channel_ids, group_ids } = terms
  return { subject, before: null, after: { ...(emails && { emails }), role, expires, channel_ids, group_ids } }
}
