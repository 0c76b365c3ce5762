import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { ownBot } from '../../policies/bots.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { deactivate } from './deactivate.js'
import { revokeEverywhere } from './revoke-everywhere.js'

/** Deactivates a bot; its messages stay. @throws {ApiError} BAD_REQUEST unless it is an active bot that users created, and `actor` may configure it */
export async function deactivateBot(ctx: Ctx, botId: number, actor?: Actor): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const bot = directory.users.get(botId)
    if (!bot?.is_bot || bot.is_system_bot || !bot.is_active) throw badRequest('No such bot')
    if (actor) ownBot(directory, currentUser(directory, actor.user), botId)
    await deactivate(ctx, tx, emit, { users: [bot], version: await bumpVersion(tx) })
  })
  await revokeEverywhere(ctx, [botId])
}

/** Deactivates a bot for a caller who may configure it; again without effect. @throws {ApiError} BAD_REQUEST */
export async function deactivateOwnBot(ctx: Ctx, actor: Actor, botId: number): Promise<void> {
  const { directory } = ctx
  await directory.fresh()
  const bot = ownBot(directory, currentUser(directory, actor.user), botId)
  if (bot.is_active) await deactivateBot(ctx, botId, actor)
}
