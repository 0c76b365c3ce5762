import { realmDeactivated } from '../../../shared/events/realm-deactivated.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { activeOwners } from '../../policies/accounts.js'
import { owners } from '../../policies/allow.js'
import { activeUsers } from '../../policies/users.js'
import { closeOrganization } from '../../store/organization/closing.js'
import { addMail } from '../accounts/add-mail.js'
import { revokeEverywhere } from '../users/revoke-everywhere.js'

// A server has one organization.
const organizationId = 1
const dayMs = 86_400_000

/**
 * Deactivates the organization: every key and session is refused at once, queues and sockets end after the event, and the owners are mailed.
 * `deletionDelayDays`: so many days later the data are deleted; null: never.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL; UNAUTHORIZED: it was deactivated meanwhile
 */
export async function deactivateOrganization(ctx: Ctx, actor: Actor, deletionDelayDays: number | null): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit, { audit, after }) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    owners({ ...actor, user })
    const due = deletionDelayDays === null ? null : new Date(ctx.clock.now() + deletionDelayDays * dayMs)
    await closeOrganization(tx, due)
    emit(realmDeactivated, { realm_id: organizationId }, directory.derived(activeUsers))
    const deletion_due = due?.toISOString() ?? null
    audit(realmDeactivated.name, {
      subject: {},
      before: { is_active: true },
      after: { is_active: false, deletion_due },
    })
    const content = { kind: 'organization_deactivated', by: user.full_name, deletion_due } as const
    for (const owner of activeOwners(directory)) addMail(ctx, after, owner, content)
  })
  await revokeEverywhere(ctx, [])
}
