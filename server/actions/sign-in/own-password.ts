import { ApiError, badRequest } from '../../../shared/errors.js'
import type { WorkerCtx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import { signInByPassword } from './sign-in-by-password.js'

interface GivenPassword {
  readonly password: string
  /** The client's. */
  readonly address: string
}

/**
 * Asks a user who is signed in for the password again, that of the account here or of the directory. Wrong ones count as at a sign-in.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT, SERVER_NOT_READY
 */
export async function requireOwnPassword(ctx: WorkerCtx, user: UserRow, given: GivenPassword): Promise<void> {
  const proven = await signInByPassword(ctx, { username: user.delivery_email, by: 'address', ...given }).catch(asWrong)
  if (proven.id !== user.id) throw wrongPassword()
}

const wrongPassword = () => badRequest('Password is incorrect.')

function asWrong(error: unknown): never {
  throw error instanceof ApiError && error.code === 'AUTHENTICATION_FAILED' ? wrongPassword() : error
}
