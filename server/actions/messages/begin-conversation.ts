import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { limitedGuests } from '../../policies/users.js'
import type { Tx } from '../../store/driver/db.js'
import { findConversation, insertConversation } from '../../store/messages/conversations.js'
import { usersKnownTo } from '../../store/users/users.js'
import { notifyOfUser } from '../announce/users.js'

/**
 * Id of the conversation between exactly these users (ascending); created if missing. A guest with limited access comes to know the
 * participants: it receives them as events before the first message.
 * @param tx a transaction with locks: it only finds the conversation, which the preparation without locks has created
 */
export async function conversationOf(ctx: Ctx, tx: Tx | null, userIds: readonly number[]): Promise<number> {
  if (tx) {
    const id = await findConversation(tx, userIds)
    if (id === undefined) throw new ApiError('SERVER_NOT_READY', 'The recipients change too fast: try again')
    return id
  }
  const concernsGuests = limitedGuests(ctx.directory).some(id => userIds.includes(id))
  if (concernsGuests && (await findConversation(ctx.sql, userIds)) === undefined) await begin(ctx, userIds)
  return await ctx.memory.conversations.idOf(userIds)
}

async function begin(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'share')
    const known = new Map<number, ReadonlySet<number>>()
    for (const id of limitedGuests(directory)) {
      if (userIds.includes(id)) known.set(id, new Set(await usersKnownTo(tx, id)))
    }
    // Another request created it first, and emits the events.
    if (!(await insertConversation(tx, userIds))) return
    for (const id of userIds) {
      const user = directory.users.get(id)
      const guests = [...known].flatMap(([guest, people]) => (people.has(id) ? [] : guest))
      if (user && guests.length > 0) notifyOfUser(emit, ctx, user, { known: guests })
    }
  })
}
