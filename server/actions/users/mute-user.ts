import { badRequest } from '../../../shared/errors.js'
import { mutedUsersEvent } from '../../../shared/events/muted-users.js'
import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { loadReader } from '../../lookups/load-reader.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { Emit } from '../../realtime/emission.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { markRead } from '../../store/reading/mark-read.js'
import { unreadIds } from '../../store/reading/read-state.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { markNarrowRead } from '../messages/mark-read.js'
import { changeUser } from '../store-user.js'

/**
 * Mutes a user for the caller. Later messages of that user are read from the start: their insert compares the organization's version, so it
 * knows of this change. Most unread messages are marked before the transaction that holds the organization, those of the last moment in it.
 * @throws {ApiError} BAD_REQUEST
 */
export async function muteUser(ctx: Ctx, actor: Actor, userId: number): Promise<void> {
  const { directory } = ctx
  await directory.fresh()
  await requireMutable(ctx, ctx.sql, currentUser(directory, actor.user), userId)
  const reader = await loadReader(ctx, actor)
  const fromUser: Narrow = {
    userId: actor.user.id,
    receivable: reader.receivable,
    scope: 'received',
    conditions: [{ kind: 'sender', userId, negated: false }],
  }
  await markNarrowRead(ctx, reader, fromUser)
  const changed = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    await requireMutable(ctx, tx, user, userId)
    const unread = await unreadIds(tx, fromUser, 0, Number.MAX_SAFE_INTEGER)
    if (unread.length > 0) {
      await markRead(tx, user.id, unread)
      emit(flagsAdd, { flag: 'read', messages: unread, all: false }, [user.id])
    }
    const timestamp = Math.floor(ctx.clock.now() / 1000)
    return store(tx, emit, user, [...user.muted_users, { id: userId, timestamp }])
  })
  directory.adopt({ users: changed })
}

/** @throws {ApiError} BAD_REQUEST if the caller has not muted the user */
export async function unmuteUser(ctx: Ctx, actor: Actor, userId: number): Promise<void> {
  await changeUser(ctx, async (_, emit) => {
    const user = currentUser(ctx.directory, actor.user)
    const muted_users = user.muted_users.filter(({ id }) => id !== userId)
    if (muted_users.length === user.muted_users.length) throw badRequest('User is not muted')
    emit(mutedUsersEvent, { muted_users }, [user.id])
    return { user, change: { muted_users } }
  })
}

async function requireMutable({ directory }: Ctx, sql: ISql, caller: UserRow, userId: number): Promise<void> {
  const user = directory.users.get(userId)
  if (!user || !(await mayAccessUser(sql, directory, caller, user))) throw badRequest('No such user')
  if (userId === caller.id) throw badRequest('Cannot mute self')
  if (caller.muted_users.some(({ id }) => id === userId)) throw badRequest('User already muted')
  if (caller.muted_users.length >= budgets.mutedUsers.most) {
    throw badRequest(`At most ${budgets.mutedUsers.most} users can be muted.`)
  }
}

async function store(tx: Tx, emit: Emit, user: UserRow, muted_users: UserRow['muted_users']): Promise<UserRow[]> {
  emit(mutedUsersEvent, { muted_users }, [user.id])
  return changeUsers(tx, [user], { muted_users })
}
