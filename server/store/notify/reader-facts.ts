import type { ISql } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'

/** What decides whether a user is notified of a message, beside the settings of the account. */
export interface ReaderFacts {
  readonly message_id: number
  readonly user_id: number
  readonly is_read: boolean
  /** The user is subscribed to the channel of the message; false of a direct message. */
  readonly is_subscribed: boolean
  /** The subscription was active when the message was sent. */
  readonly is_received: boolean
  readonly is_muted: boolean | null
  /** Null: as the account. */
  readonly email_notifications: boolean | null
  readonly push_notifications: boolean | null
  readonly wildcard_mentions_notify: boolean | null
  /** user_topics.visibility_policy; null: none. */
  readonly policy: number | null
}

/** The facts of each pair of a message and a user; of messages that do not exist there are none. */
export function readerFacts(
  sql: ISql,
  pairs: readonly { readonly messageId: number; readonly userId: number }[],
): Promise<ReaderFacts[]> {
  return sql<ReaderFacts[]>`
    select m.id as message_id, given.user_id,
      coalesce(r.ranges @> m.id, false)
        or ((m.read_by_all or m.sender_id = given.user_id and m.read_by_sender)
          and coalesce(f.flags, 0) & ${flagBit.ownUnread}::int = 0) as is_read,
      coalesce(s.is_active, false) as is_subscribed, coalesce(m.id <@ s.spans, false) as is_received,
      s.is_muted, s.email_notifications, s.push_notifications, s.wildcard_mentions_notify, t.visibility_policy as policy
    from unnest(${pairs.map(one => one.messageId)}::bigint[], ${pairs.map(one => one.userId)}::int[]) as given (message_id, user_id)
      join messages m on m.id = given.message_id
      left join message_flags f on f.message_id = m.id and f.user_id = given.user_id
      left join read_state r on r.user_id = given.user_id and r.block = (m.id >> 16)::int
      left join subscriptions s on s.user_id = given.user_id and s.channel_id = m.channel_id
      left join user_topics t on t.user_id = given.user_id and t.channel_id = m.channel_id and lower(t.topic) = lower(m.topic) -- who is notified`
}
