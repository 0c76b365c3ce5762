import type { Ctx } from '../../ctx.js'
import { bumpVersion } from '../../store/organization.js'
import { changeUsers } from '../../store/user-changes.js'

/**
 * From now on messages of public channels name the user among their readers. Before it gets a queue with
 * all_public_streams: who reads what is decided with each message, so that a queue shows nothing more from the moment on
 * in which its owner becomes a guest, on whichever worker it is.
 */
export async function notePublicReader(ctx: Ctx, userId: number): Promise<void> {
  const { directory } = ctx
  if (directory.users.get(userId)?.reads_public_channels) return
  await ctx.write(async tx => {
    await directory.hold(tx, 'change')
    const user = directory.users.get(userId)
    if (!user || user.reads_public_channels) return
    await changeUsers(tx, [user], { reads_public_channels: true }, await bumpVersion(tx))
  })
  await directory.fresh()
}
