import type { Ctx } from '../../ctx.js'
import { mayReadMessage } from '../../policies/reading.js'
import { type SeenMessage, seenMessages } from '../../store/messages/message-rows.js'
import type { UserRow } from '../../store/users/users.js'

/** Null: it is gone, or the user may not read it. The directory is fresh. */
export async function readableMessage(ctx: Ctx, user: UserRow, messageId: number): Promise<SeenMessage | null> {
  const [message] = await seenMessages(ctx.sql, user.id, [messageId])
  return message && mayReadMessage(ctx.directory, user, message) ? message : null
}
