import { realmLinkifiers } from '../../../shared/events/realm-linkifiers.js'
import type { Linkifier } from '../../../shared/resources/linkifier.js'
import type { Actor } from '../../access/actor.js'
import { administrators } from '../../access/allow.js'
import { activeUsers, currentUser } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/db.js'
import { stampLinkifiers } from '../../store/linkifiers.js'
import { bumpVersion } from '../../store/organization.js'

/**
 * One change of the list at a time. `change` is given the list as it is; it returns its result, or null when there is
 * nothing to change and to tell. @throws {ApiError} UNAUTHORIZED_PRINCIPAL
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
  // The caller's next message shall be rendered with what it just changed.
  await directory.fresh()
  return result
}
