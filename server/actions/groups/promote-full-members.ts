import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { isFullMember, isWaitingMember, waitingPeriodOf } from '../../policies/role-groups.js'
import { bumpVersion, setFullMembersAsOf } from '../../store/organization/organization.js'
import { notifyOfChannelAccess } from '../announce/channel-access.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'

/**
 * Promotes members whose waiting period is over: permissions, lists of the system groups and events change in this one transaction. Uses no
 * query until the next promotion is due.
 */
export async function promoteFullMembers(ctx: Ctx): Promise<void> {
  const { directory } = ctx
  if (nextPromotion(directory) > ctx.clock.now()) return
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const full_members_as_of = new Date(ctx.clock.now())
    // Another worker may have promoted them already, possibly one whose clock is ahead.
    if (nextPromotion(directory) > full_members_as_of.getTime()) return
    const after = directory.preview({ organization: { ...directory.organization, full_members_as_of } })
    const userIds = waiting(directory).flatMap(user => (isFullMember(after, user) ? user.id : []))
    await bumpVersion(tx)
    await setFullMembersAsOf(tx, full_members_as_of)
    notifyOfRoleGroups(emit, directory, after, userIds)
    await notifyOfChannelAccess(tx, emit, { before: directory, after, userIds })
  })
  await directory.fresh()
}

/** When the next waiting period ends, in ms since the epoch; Infinity: no member waits. */
export function nextPromotion(directory: Directory): number {
  return directory.derived(firstDue)
}

function firstDue(directory: Directory): number {
  const period = waitingPeriodOf(directory.organization)
  let first = Number.POSITIVE_INFINITY
  for (const user of waiting(directory)) first = Math.min(first, user.date_joined.getTime() + period)
  return first
}

function waiting(directory: Directory) {
  if (waitingPeriodOf(directory.organization) === 0) return []
  return [...directory.users.values()].filter(user => isWaitingMember(directory, user))
}
