import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findMessage } from '../../lookups/find-message.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Tx } from '../../store/driver/db.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { lockMessage, whereIs } from '../../store/messages/message-edits.js'
import type { SeenMessage } from '../../store/messages/message-rows.js'
import type { UserRow } from '../../store/users/users.js'

/** The message moved between the read and the lock. Has the code of a failed serialization, so that the transaction is retried. */
export class Moved extends Error {
  readonly code = '40001'
}

/**
 * A message that the caller may read, locked for a change: until the transaction ends, no other transaction changes it, or who may see it
 * in its channel and in the given channels. `share`: for changes that only refer to the message, which several transactions may make at
 * once.
 * @throws {ApiError} BAD_REQUEST
 */
export async function holdMessage(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  {
    messageId,
    channelIds = [],
    lock = 'update',
  }: { readonly messageId: number; readonly channelIds?: readonly number[]; readonly lock?: 'share' | 'update' },
): Promise<{ message: SeenMessage; user: UserRow }> {
  await ctx.directory.hold(tx, 'share')
  const before = await whereIs(tx, messageId)
  const own = before?.channel_id ?? null
  await holdChannels(tx, own === null ? channelIds : [own, ...channelIds], lock)
  await lockMessage(tx, messageId, lock)
  const { message } = await findMessage(ctx, tx, actor, messageId)
  if (message.channel_id !== own) throw new Moved('the message has moved')
  return { message, user: currentUser(ctx.directory, actor.user) }
}
