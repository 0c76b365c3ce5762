import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { deactivate } from './deactivate.js'
import { revokeEverywhere } from './revoke-everywhere.js'

/** Deactivates a bot; its messages stay. @throws {ApiError} BAD_REQUEST unless it is an active bot that users created */
export async function deactivateBot(ctx: Ctx, botId: number): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const bot = directory.users.get(botId)
    if (!bot?.is_bot || bot.is_system_bot || !bot.is_active) throw badRequest('No such bot')
    await deactivate(ctx, tx, emit, { users: [bot], version: await bumpVersion(tx) })
  })
  await revokeEverywhere(ctx, [botId])
}
