import { sessionsEnded } from '../../../shared/events/sessions-ended.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import { deleteSession, deleteSessionsOf } from '../../store/accounts/sessions.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { renewRow } from '../../store/users/user-changes.js'

/**
 * Ends all sessions of a user except one, and sign-ins that are under way, in a transaction that holds the organization for a change. Workers find out by the new version of
 * the user's row, which the caller makes if this returns true (`renewRow`, or a change of the row).
 * @returns whether there were any
 */
export async function endSessionsOf(tx: Tx, emit: Emit, userId: number, except?: number): Promise<boolean> {
  if (!(await deleteSessionsOf(tx, [userId], await bumpVersion(tx), except))) return false
  emit(sessionsEnded, { user_id: userId }, [userId])
  return true
}

/** The same for a transaction that changes nothing else of the user's row. */
export async function signOut(tx: Tx, emit: Emit, userId: number, except?: number): Promise<void> {
  if (await endSessionsOf(tx, emit, userId, except)) await renewRow(tx, userId, await bumpVersion(tx))
}

/** Ends one session of a user; another worker refuses it a moment later. @returns false: the user has no such session */
export async function endSession(ctx: Ctx, userId: number, id: number): Promise<boolean> {
  const isEnded = await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    if (!(await deleteSession(tx, userId, id))) return false
    await renewRow(tx, userId, await bumpVersion(tx))
    emit(sessionsEnded, { user_id: userId }, [userId])
    return true
  })
  await ctx.directory.fresh()
  return isEnded
}

/** Ends all sessions of a user but the one with the id `except`; undefined: all. */
export async function endOtherSessions(ctx: Ctx, userId: number, except: number | undefined): Promise<void> {
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    await signOut(tx, emit, userId, except)
  })
  await ctx.directory.fresh()
}
