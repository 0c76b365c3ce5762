import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { owners } from '../../policies/allow.js'
import { type FactorRequirement, factorRequirement, requirementSetting } from '../../policies/second-factors.js'
import { changeOrganization } from '../../store/organization/organization-changes.js'

/** Sets who needs a second factor. Present sessions and keys go on. @throws {ApiError} UNAUTHORIZED_PRINCIPAL */
export async function setFactorRequirement(ctx: Ctx, actor: Actor, wanted: FactorRequirement): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, _, { audit }) => {
    await directory.hold(tx, 'change')
    owners({ ...actor, user: currentUser(directory, actor.user) })
    const present = factorRequirement(directory)
    if (present === wanted) return
    const settings = { ...directory.organization.settings, [requirementSetting]: wanted }
    await changeOrganization(tx, { settings })
    const [before, after] = [present, wanted].map(value => ({ [requirementSetting]: value }))
    audit('factor_requirement', { subject: {}, before: before ?? null, after: after ?? {} })
  })
  await directory.fresh()
}
