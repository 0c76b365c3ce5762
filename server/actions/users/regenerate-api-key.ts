import { revoked } from '../../../shared/events/revoked.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { replaceApiKeys } from '../../store/accounts/api-keys.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { revokeEverywhere } from './revoke-everywhere.js'

/**
 * Replaces the user's API key and returns the new one. All workers receive an event: they reject the former key and close sockets that were opened
 * with it. `require` throws if the caller may not do it; it runs while the transaction holds the organization.
 */
export async function regenerateApiKey(
  ctx: Ctx,
  userId: number,
  require: (directory: Directory) => void = () => {},
): Promise<string> {
  const key = newApiKey()
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    require(ctx.directory)
    await replaceApiKeys(tx, new Map([[userId, key]]), await bumpVersion(tx))
    emit(revoked, { user_id: userId }, [userId])
  })
  await revokeEverywhere(ctx, [userId])
  return key
}
