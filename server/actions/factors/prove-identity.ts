import { createHash } from 'node:crypto'
import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { readSigned, sign } from '../../auth/signed-text.js'
import type { WorkerCtx } from '../../ctx.js'
import { recentMethod } from '../../store/accounts/sessions.js'
import { readPasswordHash, type UserRow } from '../../store/users/users.js'
import { requireOwnPassword } from '../sign-in/own-password.js'
import { takesNamesAndPasswords } from '../sign-in/sign-in-by-password.js'

/** Seconds for which a proof counts, and for which a new session is one. */
export const proofSeconds = 600
const purpose = 'identity proof'

/**
 * A text with which the caller may change its second factors. It proves that the caller has just given the password, or has just signed in
 * by other means than a password.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT, SERVER_NOT_READY
 */
export async function proveIdentity(
  ctx: WorkerCtx,
  actor: Actor,
  given: { readonly password: string; readonly address: string },
): Promise<string> {
  if (given.password === '') await requireNewSession(ctx, actor)
  else if (takesNamesAndPasswords(ctx)) await requireOwnPassword(ctx, actor.user, given)
  else throw signInAgain()
  return newProof(ctx, actor.user)
}

const signInAgain = () => badRequest('Give your password, or sign in again and repeat this within ten minutes.')

// Who has signed in by a password can give it; a key, which programs keep, proves nothing of its user.
const needsPassword = /^(?:password|key|token)/

async function requireNewSession({ sql, clock }: WorkerCtx, { user, sessionId }: Actor): Promise<void> {
  const since = new Date(clock.now() - proofSeconds * 1000)
  const method = sessionId === undefined ? undefined : await recentMethod(sql, user.id, sessionId, since)
  if (method === undefined || needsPassword.test(method)) throw signInAgain()
}

/** A proof for a user who has just shown who it is. */
export async function newProof({ sql, clock, directory }: WorkerCtx, { id }: UserRow): Promise<string> {
  const until = clock.now() + proofSeconds * 1000
  return sign(directory.organization.secret, purpose, [id, until, digestOf(await readPasswordHash(sql, id))])
}

/** Refuses a proof of another account, one that is too old, and one from before a change of the password. @throws {ApiError} BAD_REQUEST */
export async function requireProof(
  { sql, clock, directory }: WorkerCtx,
  { id }: UserRow,
  proof: string,
): Promise<void> {
  const [userId, until, digest] = readSigned(directory.organization.secret, purpose, proof) ?? []
  const isValid = userId === id && Number(until) >= clock.now() && digest === digestOf(await readPasswordHash(sql, id))
  if (!isValid) throw badRequest('The proof of your identity is malformed or too old: get a new one.')
}

const digestOf = (hash: string | null): string =>
  createHash('sha256')
    .update(hash ?? '')
    .digest('base64url')
