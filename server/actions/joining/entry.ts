import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { admits, requireAllowedAddress, requiresInvitation } from '../../policies/joining.js'
import { type JoinConfirmation, joinConfirmation } from '../../store/accounts/confirmations.js'
import { type InvitationRow, openInvitation, openInvitationTo } from '../../store/accounts/invitations.js'
import type { ISql } from '../../store/driver/db.js'
import { expiredLink } from '../accounts/expired-link.js'

/** What a key lets a person do: make an account of this address, on the terms of an invitation if there is one. */
export interface Entry {
  readonly email: string
  readonly invitation: InvitationRow | undefined
}

type Deps = Pick<Ctx, 'directory' | 'clock'>

/**
 * Finds what a mailed key is for: an invitation by mail, or an address that was confirmed. An open invitation to that address counts also where the
 * person did not come through it. Not changed by others while the transaction of `sql`, if it is one, holds the organization.
 * @throws {ApiError} BAD_REQUEST: with status 404 for a key that is unknown, used, expired or revoked, and for that of an invitation link; with
 *   400 if no account can have the address now, or people need an invitation
 */
export async function entryOf(ctx: Deps, sql: ISql, key: string): Promise<Entry> {
  const { directory } = ctx
  const now = new Date(ctx.clock.now())
  const invitation = usableInvitation(ctx, await openInvitation(sql, key, now))
  if (invitation?.email) {
    requireAllowedAddress(directory, invitation.email)
    return { email: invitation.email, invitation }
  }
  const confirmed = invitation ? undefined : await joinConfirmation(sql, key, now)
  if (!confirmed) throw expiredLink()
  return entryOfAddress(ctx, sql, confirmed)
}

/** As `entryOf`, for an address that belongs to the person beyond doubt. */
export async function entryOfAddress(ctx: Deps, sql: ISql, confirmed: JoinConfirmation): Promise<Entry> {
  const { directory } = ctx
  requireAllowedAddress(directory, confirmed.address)
  const found = await invitationOf(ctx, sql, confirmed)
  if (!found && requiresInvitation(directory)) {
    if (confirmed.link_key !== null) throw expiredLink()
    throw badRequest('An invitation is needed to join this organization.')
  }
  return { email: confirmed.address, invitation: found }
}

/** The open invitation link of this key; undefined where people can join without it. @throws {ApiError} BAD_REQUEST with status 404 */
export async function linkOf(ctx: Deps, sql: ISql, key: string): Promise<InvitationRow | undefined> {
  const found = usableInvitation(ctx, await openInvitation(sql, key, new Date(ctx.clock.now())))
  if (found && found.email === null) return found
  if (requiresInvitation(ctx.directory)) throw expiredLink()
  return undefined
}

async function invitationOf(
  ctx: Deps,
  sql: ISql,
  { address, link_key }: JoinConfirmation,
): Promise<InvitationRow | undefined> {
  const now = new Date(ctx.clock.now())
  const link = link_key === null ? undefined : await openInvitation(sql, link_key, now)
  return usableInvitation(ctx, link) ?? usableInvitation(ctx, await openInvitationTo(sql, address, now))
}

const usableInvitation = ({ directory }: Deps, invitation: InvitationRow | undefined): InvitationRow | undefined =>
  invitation && admits(directory, invitation) ? invitation : undefined
