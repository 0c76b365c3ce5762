import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { passwordDigest } from '../../auth/password-digest.js'
import { provesIdentity } from '../../auth/session-methods.js'
import { readSigned, sign } from '../../auth/signed-text.js'
import type { WorkerCtx } from '../../ctx.js'
import { beginningOf } from '../../store/accounts/sessions.js'
import type { UserRow } from '../../store/users/users.js'
import { requireOwnPassword } from '../sign-in/own-password.js'
import { takesNamesAndPasswords } from '../sign-in/sign-in-by-password.js'

/** Seconds for which a proof counts, and for which a new session is one. */
export const proofSeconds = 600
const purpose = 'identity proof'

/**
 * Requires that the caller gives the password, or has just signed in by other means than a password: a page left open, or a key that a program
 * keeps, does not show who uses it.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT, SERVER_NOT_READY
 */
export async function requireIdentity(
  ctx: WorkerCtx,
  actor: Actor,
  given: { readonly password: string; readonly address: string },
): Promise<void> {
  if (given.password === '') await requireNewSession(ctx, actor)
  else if (takesNamesAndPasswords(ctx)) await requireOwnPassword(ctx, actor.user, given)
  else throw signInAgain()
}

const signInAgain = () => badRequest('Give your password, or sign in again and repeat this within ten minutes.')

async function requireNewSession({ sql, clock }: WorkerCtx, { user, sessionId }: Actor): Promise<void> {
  const began = sessionId === undefined ? undefined : await beginningOf(sql, user.id, sessionId)
  const isNew = began !== undefined && began.created.getTime() >= clock.now() - proofSeconds * 1000
  if (!isNew || !provesIdentity(began.method)) throw signInAgain()
}

/** A text with which a user who has just shown who it is may change its second factors. */
export async function identityProof({ sql, clock, directory }: WorkerCtx, { id }: UserRow): Promise<string> {
  const until = clock.now() + proofSeconds * 1000
  return sign(directory.organization.secret, purpose, [id, until, await passwordDigest(sql, id)])
}

/** Refuses a proof of another account, one that is too old, and one from before a change of the password. @throws {ApiError} BAD_REQUEST */
export async function requireProof(
  { sql, clock, directory }: WorkerCtx,
  { id }: UserRow,
  proof: string,
): Promise<void> {
  const [userId, until, digest] = readSigned(directory.organization.secret, purpose, proof) ?? []
  const isValid = userId === id && Number(until) >= clock.now() && digest === (await passwordDigest(sql, id))
  if (!isValid) throw badRequest('The proof of your identity is malformed or too old: get a new one.')
}
