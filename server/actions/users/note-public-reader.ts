import type { Ctx } from '../../ctx.js'
import { changeUsers } from '../../store/users/user-changes.js'

/**
 * Adds the user to the audience of messages in public channels. Must run before the user gets a queue with all_public_streams: the sending
 * worker decides the audience of each message, so a queue receives nothing more once its owner is a guest, whichever worker owns the queue.
 */
export async function notePublicReader(ctx: Ctx, userId: number): Promise<void> {
  const { directory } = ctx
  if (directory.users.get(userId)?.reads_public_channels) return
  const changed = await ctx.write(async tx => {
    await directory.hold(tx, 'change')
    const user = directory.users.get(userId)
    if (!user || user.reads_public_channels) return []
    return changeUsers(tx, [user], { reads_public_channels: true })
  })
  directory.adopt({ users: changed })
}
