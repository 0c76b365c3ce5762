import { ApiError } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { requireStrongPassword } from '../../auth/password-strength.js'
import { hashPassword } from '../../auth/passwords.js'
import type { WorkerCtx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { mail } from '../../job-types/mail.js'
import { countMailRequest, countMailTo } from '../../limits/account-mails.js'
import { isPasswordOn } from '../../policies/sign-in.js'
import { opensPassword, storePasswordKey, takePasswordKey } from '../../store/accounts/confirmations.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { readPasswordHash, setPasswordHash, type UserRow } from '../../store/users/users.js'
import { isEmail } from '../accounts/account-details.js'
import { addMail } from '../accounts/add-mail.js'
import { signOut } from '../accounts/end-sessions.js'
import { expiredLink } from '../accounts/expired-link.js'
import { newLinkKey } from '../accounts/new-secrets.js'
import { passwordChanged } from '../settings/change-password.js'

interface ResetRequest {
  readonly email: string
  readonly clientAddress: string
  /** Of the mail, if the address has no account. */
  readonly language: string
}

/**
 * Mails a link that sets a password, or a mail that says why there is none. Nothing but the mail tells whether the address has an account, and the
 * work is the same. Nothing is mailed where people cannot sign in by password, and to a text that is no address.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function requestPasswordReset(ctx: WorkerCtx, request: ResetRequest): Promise<void> {
  const email = request.email.trim()
  if (!isEmail(email)) return
  await countMailRequest(ctx, request.clientAddress)
  await countMailTo(ctx, 'password', email)
  if (!isPasswordOn(ctx)) return
  const key = newLinkKey()
  const now = ctx.clock.now()
  const mailed = { key, now: new Date(now), expires: new Date(now + limits.password_reset_secs * 1000) }
  await ctx.write(async (tx, _, { after }) => {
    const found = ctx.directory.usersByEmail.get(email.toLowerCase())
    const user = found && isPerson(found) ? found : undefined
    const passwordHash = await readPasswordHash(tx, user?.id ?? -1)
    await storePasswordKey(
      tx,
      mailed,
      user?.is_active ? { id: user.id, address: user.delivery_email, role: user.role, passwordHash } : null,
    )
    if (user?.is_active) return mailPasswordLink(ctx, after, user, key)
    const content = { kind: 'password_without_account', account: email, isDeactivated: user !== undefined } as const
    after(mail, { to: email, language: request.language, content })
  })
}

/** Adds the mail with a key that `storePasswordKey` stores in the same transaction. */
export function mailPasswordLink(ctx: WorkerCtx, after: After, user: UserRow, key: string): void {
  addMail(ctx, after, user, { kind: 'password_link', account: user.delivery_email, userId: user.id, key })
}

/** Whether the link of a mail still sets a password. */
export async function isPasswordLink(ctx: WorkerCtx, userId: number, key: string): Promise<boolean> {
  const user = resettable(ctx, userId)
  if (!user) return false
  const passwordHash = await readPasswordHash(ctx.sql, userId)
  const present = { address: user.delivery_email, role: user.role, passwordHash }
  return opensPassword(ctx.sql, { key, userId, ...present }, new Date(ctx.clock.now()))
}

/**
 * Sets the password of the account by the key of a mail, which is used up, and ends the sessions of the account. False: the password is weak, and the key stays good.
 * @throws {ApiError} BAD_REQUEST with status 404: the key is unknown, used or expired, or the password, the address or the role was changed meanwhile
 */
export async function setPasswordByKey(
  ctx: WorkerCtx,
  { userId, key }: { readonly userId: number; readonly key: string },
  password: string,
): Promise<boolean> {
  const user = resettable(ctx, userId)
  if (!user || !(await isPasswordLink(ctx, userId, key))) throw expiredLink()
  try {
    await requireStrongPassword(password, [user.delivery_email, user.full_name])
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return false
    throw error
  }
  // Before the transaction, because hashing takes tens of ms.
  const hash = await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
  await ctx.write(async (tx, emit, { audit }) => {
    await ctx.directory.hold(tx, 'change')
    const present = resettable(ctx, userId)
    if (!present) throw expiredLink()
    const { delivery_email: address, role } = present
    const now = { address, role, passwordHash: await readPasswordHash(tx, userId) }
    if (!(await takePasswordKey(tx, { key, userId, ...now }, new Date(ctx.clock.now())))) throw expiredLink()
    await setPasswordHash(tx, userId, hash)
    await dropPendingAddress(tx, userId)
    await signOut(tx, emit, userId)
    audit('password_change', passwordChanged(userId))
  })
  await ctx.directory.fresh()
  return true
}

function resettable(ctx: WorkerCtx, userId: number): UserRow | undefined {
  const user = ctx.directory.users.get(userId)
  return isPasswordOn(ctx) && user?.is_active && isPerson(user) ? user : undefined
}

const isPerson = (user: UserRow): boolean => !user.is_bot && !user.is_deleted
