import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { type OrganizationLists, stampLists } from '../../store/organization/organization-lists.js'

/** A change in a transaction that holds the organization. */
interface ListChange<T> {
  readonly allow: (actor: Actor) => void
  /** Writes into the tables of the lists; undefined: there is nothing to change. */
  readonly change: (tx: Tx, emit: Emit, lists: OrganizationLists) => Promise<T | undefined>
  /** Emits the change; `after`: the lists with it. */
  readonly notify: (emit: Emit, after: OrganizationLists, result: T) => void
}

/** Changes the playgrounds or the domains, one change at a time. @throws {ApiError} those of `allow` and `change` */
export async function changeLists<T>(
  ctx: Ctx,
  actor: Actor,
  { allow, change, notify }: ListChange<T>,
): Promise<T | undefined> {
  const { directory } = ctx
  const result = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    allow({ ...actor, user: currentUser(directory, actor.user) })
    const changed = await change(tx, emit, directory.lists)
    if (changed === undefined) return undefined
    notify(emit, await stampLists(tx, await bumpVersion(tx)), changed)
    return changed
  })
  await directory.fresh()
  return result
}
