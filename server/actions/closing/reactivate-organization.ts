import type { Ctx } from '../../ctx.js'
import { activeOwners } from '../../policies/accounts.js'
import { storeReactivationKey, takeReactivationKey } from '../../store/accounts/confirmations.js'
import { readClosing, reopenOrganization } from '../../store/organization/closing.js'
import { addMail } from '../accounts/add-mail.js'
import { expiredLink } from '../accounts/expired-link.js'
import { newLinkKey } from '../accounts/new-secrets.js'

const linkLifeMs = 86_400_000

/** The mailed link, and how many owners it was mailed to. */
interface Reactivation {
  readonly link: string
  readonly mailed: number
}

/**
 * Mails to the owners a link that activates the organization again, for a day; an earlier link stays good, too. For the server's operator.
 * Undefined: it is active, or its data were deleted.
 */
export async function offerReactivation(ctx: Ctx): Promise<Reactivation | undefined> {
  const { directory } = ctx
  return ctx.write(async (tx, _emit, { audit, after }) => {
    await directory.hold(tx, 'change')
    if (directory.organization.is_active || (await readClosing(tx)).deleted) return undefined
    const [key, now] = [newLinkKey(), ctx.clock.now()]
    await storeReactivationKey(tx, { key, now: new Date(now), expires: new Date(now + linkLifeMs) })
    const owners = activeOwners(directory)
    for (const owner of owners) addMail(ctx, after, owner, { kind: 'organization_reactivation', key })
    audit('organization_reactivation_link', { subject: {}, before: null, after: { mailed: owners.length } })
    return { link: `${ctx.publicUrl}/reactivate/${key}`, mailed: owners.length }
  })
}

/**
 * Activates the organization again by the key of a mail, which is used up with all others. A planned deletion is cancelled.
 * @throws {ApiError} BAD_REQUEST with status 404: the key is unknown, used or expired
 */
export async function reactivateOrganization(ctx: Ctx, key: string): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, _emit, { audit }) => {
    await directory.hold(tx, 'change')
    const isTaken = await takeReactivationKey(tx, key, new Date(ctx.clock.now()))
    if (!isTaken || directory.organization.is_active) {
      throw expiredLink()
    }
    await reopenOrganization(tx)
    audit('realm/reactivated', { subject: {}, before: { is_active: false }, after: { is_active: true } })
  })
  await directory.fresh()
}
