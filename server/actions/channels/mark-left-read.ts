import type { Ctx } from '../../ctx.js'
import { loadReader } from '../../lookups/load-reader.js'
import { leftUnread } from '../../store/reading/left-unread.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'
import { markRead } from '../messages/mark-read.js'

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
  const unread = await leftUnread(ctx.sql, user.id, channelIds)
  if (unread.length === 0) return
  await markRead(ctx, await loadReader(ctx, { user, client: '' }), unread, 'unread')
}
