import type { Ctx } from '../../ctx.js'
import { subscribersOf, withJoined } from '../../lookups/hold-subscribers.js'
import type { Directory } from '../../memory/directory.js'
import { defaultChannels } from '../../policies/default-channels.js'
import type { Emit } from '../../realtime/emission.js'
import { lockChannels } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { announceSubscriptions } from '../announce/subscriptions.js'
import { addSubscriptions } from '../channels/subscribe.js'

/** Subscribes a new user to the default channels. The transaction holds the organization; `after` is the directory with the user. */
export async function joinDefaultChannels(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  { user, after }: { readonly user: UserRow; readonly after: Directory },
): Promise<void> {
  const channels = defaultChannels(after).flatMap(id => after.channels.get(id) ?? [])
  if (channels.length === 0) return
  const held = await lockChannels(
    tx,
    channels.map(channel => channel.id),
  )
  const before = await subscribersOf(ctx, tx, held)
  const stored = await addSubscriptions(tx, [user], channels)
  const subscribers = withJoined(before, stored.rows)
  await announceSubscriptions(tx, emit, ctx, {
    change: { created: [], channels, stored, subscribers },
    directory: after,
  })
}
