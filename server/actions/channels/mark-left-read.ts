import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Ctx } from '../../ctx.js'
import { loadReader } from '../../lookups/load-reader.js'
import { leftUnread } from '../../store/reading/left-unread.js'
import { holdFlags, markRead } from '../../store/reading/read-state.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'

/**
 * Marks users' unread messages in channels that they left as read, one user after the other, in the background because it may take long.
 * Failures are only logged.
 */
export function markLeftRead(ctx: Ctx, removed: readonly { user_id: number; channel_id: number }[]): Promise<void> {
  const mark = async () => {
    for (const [userId, rows] of gather(removed, row => row.user_id)) {
      const user = ctx.directory.users.get(userId)
      const channelIds = rows.map(row => row.channel_id)
      if (user) await markForUser(ctx, user, channelIds)
    }
  }
  return mark().catch(error => ctx.log.warn(error, 'messages of channels that were left stay unread'))
}

async function markForUser(ctx: Ctx, user: UserRow, channelIds: readonly number[]): Promise<void> {
  const { receivable } = await loadReader(ctx, { user, client: '' })
  await ctx.write(async (tx, emit) => {
    await holdFlags(tx, user.id)
    const unread = await leftUnread(tx, user.id, channelIds)
    if (unread.length === 0) return
    await markRead(tx, user.id, unread, receivable)
    emit(flagsAdd, { flag: 'read', messages: unread, all: false }, [user.id])
  })
}
