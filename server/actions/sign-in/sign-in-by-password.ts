import { ApiError } from '../../../shared/errors.js'
import { isMethodOn, type SignInMethod, takesPasswords } from '../../../shared/resources/sign-in-methods.js'
import { isRightPassword } from '../../auth/passwords.js'
import { ldapOf } from '../../auth/providers/index.js'
import { type Identity, ProviderFailure } from '../../auth/providers/provider.js'
import { authenticationFailed, requireActiveAccount, requireActiveOrganization } from '../../auth/require-active.js'
import type { WorkerCtx } from '../../ctx.js'
import { attemptSignIn } from '../../limits/sign-in-attempts.js'
import { signInMethods } from '../../policies/sign-in.js'
import type { UserRow } from '../../store/users/users.js'
import { enterByIdentity } from './enter-by-identity.js'

interface NameAndPassword {
  /** An address, or another name that the directory knows. */
  readonly username: string
  readonly password: string
  /** The client's, which limits wrong passwords over all names. */
  readonly address: string
}

/**
 * The account that a name and a password prove: the password of the account here, or else that of the directory, whichever methods are on.
 * Only a right password shows that the account is deactivated.
 * @throws {ApiError} AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED, RATE_LIMIT_HIT, SERVER_NOT_READY
 */
export async function signInByPassword(ctx: WorkerCtx, { username, ...rest }: NameAndPassword): Promise<UserRow> {
  // A directory finds the same entry by many spellings, and each would have wrong passwords of its own.
  const given = { username: username.normalize('NFKC').replace(/\s+/g, ' ').trim(), ...rest }
  await ctx.directory.fresh()
  requirePasswordOn(ctx)
  const user = isOn(ctx, 'LDAP') ? await withLdap(ctx, given) : await ofAccount(ctx, given)
  if (!user) throw authenticationFailed()
  requireActiveAccount(user)
  return user
}

/** @throws {ApiError} REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED */
export function requirePasswordOn(ctx: WorkerCtx): void {
  requireActiveOrganization(ctx.directory)
  if (!takesNamesAndPasswords(ctx)) {
    throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in this organization')
  }
}

/** Whether users sign in with a name and a password, of their account or of the directory. */
export const takesNamesAndPasswords = ({ directory, config }: Pick<WorkerCtx, 'directory' | 'config'>): boolean =>
  takesPasswords(signInMethods(directory, config.signInMethods))

const isOn = ({ directory, config }: WorkerCtx, method: SignInMethod): boolean =>
  isMethodOn(signInMethods(directory, config.signInMethods), method)

const accountOf = ({ directory }: WorkerCtx, { username }: NameAndPassword): UserRow | undefined =>
  directory.usersByEmail.get(username.toLowerCase())

// One hash is checked, whether the account exists or not, so that the response time does not reveal it.
const isOwn = (ctx: WorkerCtx, hash: string | null, password: string): Promise<boolean> =>
  ctx.workLimits.passwordHashes.run(() => isRightPassword(hash, password))

async function ofAccount(ctx: WorkerCtx, given: NameAndPassword): Promise<UserRow | undefined> {
  const user = accountOf(ctx, given)
  const signIn = { email: given.username, userId: user?.id, address: given.address }
  return attemptSignIn(ctx, signIn, async hash => ((await isOwn(ctx, hash, given.password)) ? user : undefined))
}

/** The connection is opened before the attempt counts, so a directory that is away uses up no attempts. */
async function withLdap(ctx: WorkerCtx, given: NameAndPassword): Promise<UserRow | undefined> {
  const provider = ldapOf(ctx.config)
  if (!provider) return undefined
  const user = accountOf(ctx, given)
  const signIn = { email: given.username, userId: user?.id, address: given.address }
  const proof = await ctx.workLimits.ldapSignIns.run(async () => {
    const connection = await orNotReady(ctx, () => provider.open())
    try {
      return await attemptSignIn(ctx, signIn, async (hash): Promise<UserRow | Identity | undefined> => {
        if (isOn(ctx, 'Email') && (await isOwn(ctx, hash, given.password))) return user
        return orNotReady(ctx, () => connection.identify(given.username, given.password))
      })
    } finally {
      await connection.close()
    }
  })
  if (!proof || !('subject' in proof)) return proof
  const result = await enterByIdentity(ctx, provider, proof, { linkKey: null, isSignUp: false })
  if ('user' in result) return result.user
  const reason = result.outcome === 'refused' ? result.reason : 'no account'
  ctx.log.warn({ provider: provider.name, subject: proof.subject, reason }, 'an identity has no access to an account')
  return undefined
}

/** @throws {ApiError} SERVER_NOT_READY if the directory does not answer */
async function orNotReady<T>(ctx: WorkerCtx, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    ctx.log.warn({ provider: 'ldap', reason: thrown.message }, 'a sign-in at an identity provider failed')
    throw new ApiError('SERVER_NOT_READY', 'The directory that checks passwords does not answer: try again later.')
  }
}
