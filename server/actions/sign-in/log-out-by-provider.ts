import { revoked } from '../../../shared/events/revoked.js'
import type { Ctx } from '../../ctx.js'
import { replaceApiKeys } from '../../store/accounts/api-keys.js'
import { accountOfPerson } from '../../store/accounts/identities.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { renewRow } from '../../store/users/user-changes.js'
import { endSessionsOf } from '../accounts/end-sessions.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { revokeEverywhere } from '../users/revoke-everywhere.js'

/**
 * Ends the sessions of a person that has signed out, or left, at its provider. `endsKeys`: its API key and its sockets end, too. A person
 * without an account here needs nothing.
 */
export async function logOutByProvider(
  ctx: Ctx,
  person: { readonly provider: string; readonly subject: string },
  endsKeys: boolean,
): Promise<void> {
  const userId = await accountOfPerson(ctx.sql, person)
  if (userId === undefined) return
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const version = await bumpVersion(tx)
    const hadSessions = await endSessionsOf(tx, emit, userId)
    if (endsKeys) {
      await replaceApiKeys(tx, new Map([[userId, newApiKey()]]), version)
      emit(revoked, { user_id: userId }, [userId])
    } else if (hadSessions) await renewRow(tx, userId, version)
  })
  await revokeEverywhere(ctx, [userId])
}
