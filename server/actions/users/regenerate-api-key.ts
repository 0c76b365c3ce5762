import { revoked } from '../../../shared/events/revoked.js'
import type { Ctx } from '../../ctx.js'
import { replaceApiKeys } from '../../store/accounts/api-keys.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { revokeEverywhere } from './revoke-everywhere.js'

/**
 * Replaces the user's API key and returns the new one. All workers receive an event: they reject the former key and close sockets that were opened
 * with it.
 */
export async function regenerateApiKey(ctx: Ctx, userId: number): Promise<string> {
  const key = newApiKey()
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    await replaceApiKeys(tx, new Map([[userId, key]]), await bumpVersion(tx))
    emit(revoked, { user_id: userId }, [userId])
  })
  await revokeEverywhere(ctx, [userId])
  return key
}
