import { badRequest } from '../../../shared/errors.js'
import { newRecoveryCodes, plainCode } from '../../auth/factors/recovery-codes.js'
import type { Ctx } from '../../ctx.js'
import type { FactorChange } from '../../job-types/mail.js'
import { needsFactor } from '../../policies/second-factors.js'
import type { Emit } from '../../realtime/emission.js'
import { factorsOf, hasFactor, replaceRecoveryCodes } from '../../store/accounts/factors.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { addMail } from '../accounts/add-mail.js'
import { signOut } from '../accounts/end-sessions.js'

/** A transaction that changes the second factors of an account; it holds the organization, so another one waits. */
interface FactorsChange {
  readonly tx: Tx
  readonly emit: Emit
  readonly user: UserRow
  /** Adds the change to the audit log, and mails it to the account. `subject`: the name of a passkey. */
  note(change: FactorChange, subject?: string): void
}

/** @throws {ApiError} BAD_REQUEST for bots and deactivated accounts, and what `work` throws */
export async function changeFactors<T>(
  ctx: Ctx,
  userId: number,
  work: (change: FactorsChange) => Promise<T>,
): Promise<T> {
  const done = await ctx.write(async (tx, emit, { audit, after }) => {
    await ctx.directory.hold(tx, 'change')
    const user = ctx.directory.users.get(userId)
    if (!user?.is_active || user.is_bot) throw badRequest('No such user')
    return work({
      tx,
      emit,
      user,
      note(change, subject = '') {
        const what = { factors: change, ...(subject !== '' && { name: subject }) }
        audit('factor_change', { subject: { user_id: userId }, before: null, after: what })
        addMail(ctx, after, user, { kind: 'factor_change', account: user.delivery_email, change, subject })
      },
    })
  })
  await ctx.directory.fresh()
  return done
}

/** Replaces the recovery codes. @returns the new ones, which are stored nowhere in this form */
export async function giveRecoveryCodes({ tx, user }: FactorsChange): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, user.id, codes.map(plainCode))
  return codes
}

/**
 * Before an account gets a factor: with the first one it gets recovery codes, and its sessions but the one with the id `except` end, because they
 * began without a factor.
 * @returns the codes; empty: it has codes already
 */
export async function prepareFactor(change: FactorsChange, except: number | undefined): Promise<string[]> {
  const { tx, emit, user } = change
  if (hasFactor(await factorsOf(tx, user.id))) return []
  await signOut(tx, emit, user.id, except)
  return giveRecoveryCodes(change)
}

/**
 * After a person has removed a factor: the last one stays where the organization requires one; without any the recovery codes have no use.
 * @throws {ApiError} BAD_REQUEST
 */
export async function afterRemoval({ directory }: Ctx, { tx, user }: FactorsChange): Promise<void> {
  if (hasFactor(await factorsOf(tx, user.id))) return
  if (needsFactor(directory, user))
    throw badRequest('The organization requires a second factor: add another one first.')
  await replaceRecoveryCodes(tx, user.id, [])
}
