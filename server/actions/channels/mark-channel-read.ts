import { flagsAdd } from '../../../shared/events/update-message-flags.js'
import type { Ctx } from '../../ctx.js'
import { subscribersOfChannels } from '../../store/channels/subscriptions.js'
import { markReadOfMany, unreadOfSubscribers } from '../../store/reading/channel-unread.js'
import { gather } from '../gather.js'

// Users, and messages of each, per transaction: it holds the flags of these users.
const usersAtOnce = 200
const idsAtOnce = 1000

/** Marks all messages of a channel as read for all subscribers, in transactions of bounded size. */
export async function markChannelRead(ctx: Ctx, channelId: number): Promise<void> {
  const userIds = (await subscribersOfChannels(ctx.sql, [channelId])).get(channelId) ?? []
  for (let i = 0; i < userIds.length; i += usersAtOnce) {
    let rest = userIds.slice(i, i + usersAtOnce)
    while (rest.length > 0) rest = await markFor(ctx, channelId, rest)
  }
}

/** Returns the users who may have further unread messages. */
function markFor(ctx: Ctx, channelId: number, userIds: readonly number[]): Promise<number[]> {
  return ctx.write(async (tx, emit) => {
    const unread = await unreadOfSubscribers(tx, channelId, userIds, idsAtOnce)
    await markReadOfMany(tx, unread)
    for (const [, users] of gather(unread, one => one.ids.join())) {
      const messages = users[0]?.ids ?? []
      emit(
        flagsAdd,
        { flag: 'read', messages, all: false },
        users.map(one => one.user_id),
      )
    }
    return unread.filter(one => one.ids.length === idsAtOnce).map(one => one.user_id)
  })
}
