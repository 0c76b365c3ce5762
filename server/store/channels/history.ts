import type { Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'

/**
 * Gives a new subscriber the newest `most` messages of these channels, as if it had received them: they are unread, and have the flag
 * `historical`. Messages before them count as read, as for each subscriber. The transaction holds the channels and has subscribed the user.
 */
export async function giveNewest(tx: Tx, userId: number, channelIds: readonly number[], most: number): Promise<void> {
  await tx`
    with newest as materialized (
      select id from unnest(${[...channelIds]}::int[]) as channel (channel_id) cross join lateral (
        select id from messages m where m.channel_id = channel.channel_id order by id desc limit ${most}
      ) own
      order by id desc limit ${most}
    ), flagged as (
      insert into message_flags (user_id, message_id, flags)
      select ${userId}, id, ${flagBit.historical}::int from newest order by id
    )
    update subscriptions set spans = spans + int8multirange(int8range((select min(id) from newest), null))
    where user_id = ${userId} and channel_id = any(${[...channelIds]}) and exists (select from newest)`
}
