import { ApiError } from '../../../shared/errors.js'
import { isRightPassword } from '../../auth/passwords.js'
import { authenticationFailed, requireActiveAccount, requireActiveOrganization } from '../../auth/require-active.js'
import type { WorkerCtx } from '../../ctx.js'
import { tryPassword } from '../../limits/sign-in-attempts.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * The account that a name and a password prove. Only a right password shows that the account is deactivated.
 * @param address the client's, which limits wrong passwords over all names
 * @throws {ApiError} AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED, RATE_LIMIT_HIT
 */
export async function signInByPassword(
  ctx: WorkerCtx,
  { username, password, address }: { readonly username: string; readonly password: string; readonly address: string },
): Promise<UserRow> {
  await ctx.directory.fresh()
  requirePasswordOn(ctx)
  const user = ctx.directory.usersByEmail.get(username.toLowerCase())
  // One password hash, whether the account exists or not, so that the response time does not reveal it.
  const isRight = (hash: string | null) => ctx.workLimits.passwordHashes.run(() => isRightPassword(hash, password))
  const right = await tryPassword(ctx, { email: username, userId: user?.id, address }, isRight)
  if (right === undefined || !user) throw authenticationFailed()
  requireActiveAccount(user)
  return user
}

/** @throws {ApiError} REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED */
export function requirePasswordOn(ctx: Pick<WorkerCtx, 'directory'>): void {
  requireActiveOrganization(ctx.directory)
  if (!isPasswordOn(ctx)) {
    throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization')
  }
}

/** Whether accounts may sign in with an address and a password. */
export const isPasswordOn = ({ directory }: Pick<WorkerCtx, 'directory'>): boolean =>
  realmSetting(directory, 'authentication_methods').Email?.enabled ?? false
