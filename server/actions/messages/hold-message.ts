import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/driver/db.js'
import { type HeldMessage, lockMessage } from '../../store/messages/lock-message.js'

/** The message moved between the read and the lock. Has the code of a failed serialization, so that the transaction is retried. */
class Moved extends Error {
  readonly code = '40001'
}

/**
 * Locks a message for a change, by one statement: until the transaction ends, no other transaction changes it, or who may see it in its channel
 * and in the given channels. The directory shows the exact state of the organization.
 */
export async function holdMessage(ctx: Ctx, tx: Tx, held: HeldMessage): Promise<void> {
  const { version, is_where_it_was } = await lockMessage(tx, held)
  await ctx.directory.heldAt(tx, version)
  if (!is_where_it_was) throw new Moved('the message has moved')
}
