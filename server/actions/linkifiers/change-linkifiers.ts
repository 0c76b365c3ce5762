import { realmLinkifiers } from '../../../shared/events/realm-linkifiers.js'
import type { Linkifier } from '../../../shared/resources/linkifier.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import { activeUsers } from '../../policies/users.js'
import type { Tx } from '../../store/driver/db.js'
import { stampLinkifiers } from '../../store/organization/linkifiers.js'
import { bumpVersion } from '../../store/organization/organization.js'

/**
 * Runs one change of the list at a time. `change` gets the present list and returns its result, or null if there is nothing to change and
 * to emit. @throws {ApiError} UNAUTHORIZED_PRINCIPAL
 */
export async function changeLinkifiers<T>(
  ctx: Ctx,
  actor: Actor,
  change: (tx: Tx, linkifiers: readonly Linkifier[]) => Promise<T | null>,
): Promise<T | null> {
  const { directory } = ctx
  const result = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    administrators({ ...actor, user: currentUser(directory, actor.user) })
    const changed = await change(tx, directory.linkifiers.all)
    if (changed === null) return null
    const realm_linkifiers = await stampLinkifiers(tx, await bumpVersion(tx))
    emit(realmLinkifiers, { realm_linkifiers }, directory.derived(activeUsers))
    return changed
  })
  // So that the caller's next message is rendered with the changed list.
  await directory.fresh()
  return result
}
