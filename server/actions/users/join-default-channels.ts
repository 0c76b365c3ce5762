import type { Ctx } from '../../ctx.js'
import { guest } from '../../policies/allow.js'
import { defaultChannels } from '../../policies/default-channels.js'
import { lockChannels } from '../../store/channels.js'
import type { UserRow } from '../../store/users.js'
import { announceSubscriptions } from '../channels/announce-subscriptions.js'
import { addSubscriptions } from '../channels/subscribe.js'

/** Subscribes a new user to the channels that are default channels when the transaction runs. */
export async function joinDefaultChannels(ctx: Ctx, user: UserRow): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'share')
    const current = directory.users.get(user.id)
    if (!current?.is_active || current.role === guest) return
    const channels = defaultChannels(directory).flatMap(id => directory.channels.get(id) ?? [])
    if (channels.length === 0) return
    await lockChannels(
      tx,
      channels.map(channel => channel.id),
    )
    const added = await addSubscriptions(tx, [current], channels)
    await announceSubscriptions(tx, emit, ctx, { created: [], channels, added })
  })
}
