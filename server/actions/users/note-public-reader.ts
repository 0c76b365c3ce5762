import type { Ctx } from '../../ctx.js'
import { changeUser } from '../store-user.js'

/**
 * Adds the user to the audience of messages in public channels. Must run before the user gets a queue with all_public_streams: the sending
 * worker decides the audience of each message, so a queue receives nothing more once its owner is a guest, whichever worker owns the queue.
 */
export async function notePublicReader(ctx: Ctx, userId: number): Promise<void> {
  const { directory } = ctx
  if (directory.users.get(userId)?.reads_public_channels) return
  await changeUser(ctx, async () => {
    const user = directory.users.get(userId)
    return user && !user.reads_public_channels ? { user, change: { reads_public_channels: true } } : null
  })
}
