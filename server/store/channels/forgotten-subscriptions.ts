import type { Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'

/** The users can no longer see these channels: marks their former subscriptions so that no answer shows them. */
export async function forgetSubscriptions(
  tx: Tx,
  pairs: readonly { readonly user_id: number; readonly channel_id: number }[],
): Promise<void> {
  const users = pairs.map(pair => pair.user_id)
  noteListChange(tx, users)
  const channels = pairs.map(pair => pair.channel_id)
  await tx`
    update subscriptions set is_forgotten = true
    from unnest(${users}::int[], ${channels}::int[]) as lost (user_id, channel_id)
    where subscriptions.user_id = lost.user_id and subscriptions.channel_id = lost.channel_id
      and not is_active and not is_forgotten`
}

/** As `forgetSubscriptions`, for all former subscribers of the channel. */
export async function forgetFormerSubscriptions(tx: Tx, channelId: number): Promise<void> {
  const forgotten = await tx<{ user_id: number }[]>`
    update subscriptions set is_forgotten = true where channel_id = ${channelId} and not is_active and not is_forgotten
    returning user_id`
  const users = forgotten.map(row => row.user_id)
  noteListChange(tx, users)
}
