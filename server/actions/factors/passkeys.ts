import { createHmac } from 'node:crypto'
import { badRequest } from '../../../shared/errors.js'
import { type ChallengePurpose, challengeSeconds, isChallenge, newChallenge } from '../../auth/factors/challenges.js'
import {
  authenticated,
  creationOptions,
  PasskeyRefusal,
  registered,
  requestOptions,
} from '../../auth/factors/passkeys.js'
import { type RelyingParty, relyingParty } from '../../auth/factors/relying-party.js'
import type { Ctx, WorkerCtx } from '../../ctx.js'
import {
  credentialsOf,
  deletePasskey,
  findPasskey,
  insertPasskey,
  notePasskeyUse,
  renamePasskey as rename,
} from '../../store/accounts/passkeys.js'
import type { UserRow } from '../../store/users/users.js'
import { afterRemoval, changeFactors, prepareFactor } from './change-factors.js'
import { assertion, attestation } from './credential-json.js'

const mostPasskeys = 20

export const arePasskeysPossible = ({ publicUrl }: Pick<Ctx, 'publicUrl'>): boolean =>
  relyingParty(publicUrl) !== undefined

/** @throws {ApiError} BAD_REQUEST where browsers have no passkeys for this server */
function partyOf({ publicUrl }: Ctx): RelyingParty {
  const party = relyingParty(publicUrl)
  if (!party) throw badRequest('Passkeys need a public address with https and a host name.')
  return party
}

const toAdd = ({ id }: UserRow): ChallengePurpose => ({ use: 'add', subject: String(id) })

/** What the browser takes to make a passkey for the user. @throws {ApiError} BAD_REQUEST */
export async function beginPasskey(ctx: Ctx, user: UserRow) {
  const { secret, name: organization } = ctx.directory.organization
  return creationOptions(partyOf(ctx), {
    challenge: newChallenge(secret, toAdd(user), ctx.clock.now()),
    organization,
    address: user.delivery_email,
    fullName: user.full_name,
    handle: createHmac('sha256', secret).update(`passkeys of ${user.id}`).digest(),
    present: await credentialsOf(ctx.sql, user.id),
  })
}

/** What the browser takes to sign with a passkey. `user`: whose passkeys; undefined: the person chooses. @throws {ApiError} BAD_REQUEST */
export async function requestPasskey(ctx: Ctx, purpose: ChallengePurpose, user?: UserRow) {
  const challenge = newChallenge(ctx.directory.organization.secret, purpose, ctx.clock.now())
  return requestOptions(partyOf(ctx), challenge, user ? await credentialsOf(ctx.sql, user.id) : [])
}

interface NewPasskey {
  readonly name: string
  readonly credential: unknown
  /** The session that adds it, and goes on. */
  readonly sessionId?: number | undefined
}

/**
 * Adds a passkey.
 * @returns its id, and recovery codes with the first factor of the account
 * @throws {ApiError} BAD_REQUEST
 */
export async function addPasskey(ctx: WorkerCtx, user: UserRow, { name, credential, sessionId }: NewPasskey) {
  const response = attestation.safeParse(credential).data
  const made = response && (await accepted(ctx, toAdd(user), expected => registered(response, expected)))
  if (!made) throw badRequest('The passkey is malformed, or its challenge was used or is too old: begin again.')
  const transports = response?.response.transports ?? []
  return changeFactors(ctx, user.id, async change => {
    const codes = await prepareFactor(change, sessionId)
    if ((await credentialsOf(change.tx, user.id)).length >= mostPasskeys) throw badRequest('Too many passkeys.')
    const row = { user_id: user.id, name, transports, ...made }
    const id = await insertPasskey(change.tx, row, new Date(ctx.clock.now()))
    if (id === undefined) throw badRequest('An account has this passkey already.')
    change.note('passkey_added', name)
    return { id, codes }
  })
}

/**
 * Checks what a passkey has signed.
 * @returns the account of the passkey; undefined: the signature, its challenge or its place is wrong
 * @throws {ApiError} BAD_REQUEST where browsers have no passkeys for this server
 */
export async function checkPasskey(
  ctx: WorkerCtx,
  purpose: ChallengePurpose,
  credential: unknown,
): Promise<UserRow | undefined> {
  const response = assertion.safeParse(credential).data
  if (!response) return undefined
  const found = await findPasskey(ctx.sql, Buffer.from(response.id, 'base64url'))
  const user = found && ctx.directory.users.get(found.user_id)
  if (!found || !user?.is_active) return undefined
  const counter = await accepted(ctx, purpose, expected => authenticated(response, found, expected))
  if (counter === undefined) return undefined
  const isNew = await notePasskeyUse(ctx.sql, { id: found.id, counter }, new Date(ctx.clock.now()))
  return isNew ? user : undefined
}

type Expected = Parameters<typeof registered>[1]

/** What a check of an answer gives, once for each challenge; undefined: it is refused. */
async function accepted<T>(
  ctx: WorkerCtx,
  purpose: ChallengePurpose,
  check: (expected: Expected) => Promise<T>,
): Promise<T | undefined> {
  const { directory, clock, attempts, log } = ctx
  const { secret } = directory.organization
  try {
    let answered = ''
    const isOurs = (challenge: string) => {
      answered = challenge
      return isChallenge(secret, purpose, challenge, clock.now())
    }
    const result = await check({ party: partyOf(ctx), isChallenge: isOurs })
    const once = [{ most: 1, seconds: challengeSeconds }]
    const isUsed = await attempts.count('passkey challenge', answered, once, clock.now())
    return isUsed > 0 ? undefined : result
  } catch (thrown) {
    if (!(thrown instanceof PasskeyRefusal)) throw thrown
    log.info({ reason: thrown.message }, 'the answer of a passkey was refused')
    return undefined
  }
}

/** @throws {ApiError} BAD_REQUEST */
export async function renamePasskey(ctx: Ctx, userId: number, id: number, name: string): Promise<void> {
  if (!(await ctx.write(tx => rename(tx, userId, id, name)))) throw noPasskey()
}

/** @throws {ApiError} BAD_REQUEST */
export async function removePasskey(ctx: Ctx, userId: number, id: number): Promise<void> {
  await changeFactors(ctx, userId, async change => {
    const name = await deletePasskey(change.tx, userId, id)
    if (name === undefined) throw noPasskey()
    await afterRemoval(ctx, change)
    change.note('passkey_removed', name)
  })
}

const noPasskey = () => badRequest('No such passkey.')
