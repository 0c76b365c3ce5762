import { ApiError } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { isMethodOn, type SignInMethod, takesPasswords } from '../../../shared/resources/sign-in-methods.js'
import { isRightPassword } from '../../auth/passwords.js'
import { ldapOf } from '../../auth/providers/index.js'
import type { Ldap } from '../../auth/providers/ldap/ldap.js'
import type { LdapConnection } from '../../auth/providers/ldap/ldap-connection.js'
import { type Identity, ProviderFailure } from '../../auth/providers/provider.js'
import { authenticationFailed, requireActiveAccount, requireActiveOrganization } from '../../auth/require-active.js'
import type { WorkerCtx } from '../../ctx.js'
import { attemptSignIn, countAttempt } from '../../limits/sign-in-attempts.js'
import { signInMethods } from '../../policies/sign-in.js'
import { readPasswordHash, type UserRow } from '../../store/users/users.js'
import { enterByIdentity } from './enter-by-identity.js'

interface NameAndPassword {
  /** An address, or another name that the directory knows. */
  readonly username: string
  readonly password: string
  /** The name is the address of the account that asks, which a directory may know by another name. Default: as it was typed. */
  readonly by?: 'name' | 'address'
  /** The client's, which limits wrong passwords over all names. */
  readonly address: string
  /** Of an account that a person of the directory gets; absent: the default of the organization. */
  readonly language?: string
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
    const connection = await opened(ctx, provider)
    if (connection instanceof ApiError) return withoutDirectory(ctx, given, connection)
    try {
      return await attemptSignIn(ctx, signIn, async (hash): Promise<UserRow | Identity | undefined> => {
        if (isOn(ctx, 'Email') && (await isOwn(ctx, hash, given.password))) return user
        return ofEntry(ctx, connection, given)
      })
    } finally {
      await connection.close()
    }
  })
  if (!proof || !('subject' in proof)) return proof
  const result = await enterByIdentity(ctx, provider, proof, {
    linkKey: null,
    isSignUp: false,
    language: given.language,
  })
  if ('user' in result) return result.user
  const reason = result.outcome === 'refused' ? result.reason : 'no account'
  ctx.log.warn({ provider: provider.name, subject: proof.subject, reason }, 'an identity has no access to an account')
  return undefined
}

async function opened(ctx: WorkerCtx, provider: Ldap): Promise<LdapConnection | ApiError> {
  try {
    return await orNotReady(ctx, () => provider.open())
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/**
 * While the directory is away the password of an account here still counts. A wrong one is counted, and answered as everything else is that
 * only the directory could tell.
 * @throws {ApiError} `away`, RATE_LIMIT_HIT
 */
async function withoutDirectory(ctx: WorkerCtx, given: NameAndPassword, away: ApiError): Promise<UserRow> {
  const user = accountOf(ctx, given)
  const hash = isOn(ctx, 'Email') && user ? await readPasswordHash(ctx.sql, user.id) : null
  const found = hash === null ? await isOwn(ctx, null, given.password) : await ofAccount(ctx, given)
  if (!found || !user) throw away
  return user
}

/** A directory may find one entry by several names, such as its addresses: wrong passwords count against the entry, too. */
async function ofEntry(
  ctx: WorkerCtx,
  connection: LdapConnection,
  { username, password, by = 'name' }: NameAndPassword,
): Promise<Identity | undefined> {
  const entry = await orNotReady(ctx, () => connection.find(username, by))
  const counted = entry && `entry of the directory ${entry.dn.toLowerCase()}`
  const { wrong_passwords: most, wrong_passwords_secs: seconds } = limits
  if (counted) await countAttempt(ctx, 'password', counted, [{ most, seconds }])
  const identity = await orNotReady(ctx, () => connection.prove(entry, password))
  if (counted && identity) await ctx.attempts.forget('password', counted)
  return identity
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
