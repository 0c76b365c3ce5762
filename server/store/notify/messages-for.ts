import type { ISql } from '../driver/db.js'
import { flagBit, wildcardBit } from '../messages/message-flags.js'

const mentionBits = flagBit.mentioned | flagBit.topic_wildcard_mentioned

interface Wanted {
  readonly from: number
  readonly upto: number
  readonly limit: number
  /** The user wants notifications of channels without a setting of their own. */
  readonly wantsChannels: boolean
}

/**
 * Ids of messages that may notify one user, the newest `limit` from `from` to `upto`: direct ones, mentions, those of followed topics, and of
 * channels.
 */
export async function messagesFor(
  sql: ISql,
  userId: number,
  { from, upto, limit, wantsChannels }: Wanted,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from (
      select m.id from conversations c join messages m on m.conversation_id = c.id
      where c.user_ids @> array[${userId}::int] and m.id between ${from} and ${upto}
      union
      select message_id from message_flags
      where user_id = ${userId} and flags & ${mentionBits}::int <> 0 and message_id between ${from} and ${upto}
      union
      select m.id from subscriptions s join messages m on m.channel_id = s.channel_id
      where s.user_id = ${userId} and s.is_active and m.id between ${from} and ${upto}
        and m.wildcard_mentions <> 0 and m.wildcard_mentions & ${wildcardBit.channel}::int <> 0
      union
      select m.id from subscriptions s join messages m on m.channel_id = s.channel_id
      where s.user_id = ${userId} and s.is_active and coalesce(s.email_notifications, ${wantsChannels})
        and m.id between ${from} and ${upto}
      union
      select m.id from user_topics t join messages m on m.channel_id = t.channel_id and lower(m.topic) = lower(t.topic)
      where t.user_id = ${userId} and t.visibility_policy = 3 and m.id between ${from} and ${upto}
    ) found
    order by id desc limit ${limit}`
  return rows.map(row => row.id)
}
