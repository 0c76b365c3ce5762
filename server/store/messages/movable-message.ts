import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { ISql, Tx } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'
import { ownFlags } from './editable-message.js'

/** Which messages move with a message of a topic, and where to. */
interface WantedMove {
  /**
   * `change_one`: the message. `change_later`: it and later ones of its topic. `change_all`: all of its topic. In a channel with protected history, the
   * last two are those that the user received.
   */
  readonly mode: 'change_one' | 'change_later' | 'change_all'
  /** Null: the channel stays. */
  readonly channelId: number | null
  /** Null: the topic stays. */
  readonly topic: string | null
}

/** What a move needs beside the message. It holds as long as the channels are locked against new messages. */
export interface Moving {
  /** The messages, ascending. */
  readonly ids: readonly number[]
  /** Their dates, in ms since 1970. */
  readonly sent: readonly number[]
  /** In a channel with open history, users who received one of them or have flags on one, and are no longer subscribed. Null: none. */
  readonly former: readonly number[] | null
  /** Whether the topic has further messages, and whether it has some that the user can see. */
  readonly leaves_others: boolean
  readonly leaves_visible: boolean
  /** Whether the new topic has messages. */
  readonly is_topic_there: boolean
  /** Users with a visibility policy for the topic or for the new one, ascending. Null: none. */
  readonly policies: readonly PolicyHolder[] | null
}

/** A user's visibility policies for a topic that moves, and for the new one. */
export interface PolicyHolder {
  readonly user_id: number
  readonly here: VisibilityPolicy
  readonly there: VisibilityPolicy
  /** Whether the user is subscribed to the channel, and to the new one. */
  readonly is_subscribed: boolean
  readonly is_subscribed_there: boolean
}

/** Reads a topic, so the caller has checked that the user may move the message. @throws {Error} if the message is in no channel */
export async function readMoving(
  sql: Tx,
  userId: number,
  messageId: number,
  { mode, channelId, topic }: WantedMove,
): Promise<Moving> {
  const isSeen = sql`(channels.history_public_to_subscribers or t.id <@ mine.spans)`
  const moves =
    mode === 'change_one' ? sql`t.id = m.id` : mode === 'change_later' ? sql`t.id >= m.id and ${isSeen}` : isSeen
  const ofTopic = sql`t.channel_id = m.channel_id and lower(t.topic) = lower(m.topic)`
  const there = {
    channel: sql`coalesce(${channelId}::int, m.channel_id)`,
    topic: sql`lower(coalesce(${topic}::text, m.topic))`,
  }
  const [row] = await sql<{ moving: Moving }[]>`
    select (
      select row_to_json(moving) from (
        select ids, sent, exists (select from messages t where ${ofTopic} and (${moves}) is not true) as leaves_others,
          exists (select from messages t where ${ofTopic} and ${isSeen} and (${moves}) is not true) as leaves_visible,
          exists (select from messages t where t.channel_id = ${there.channel} and lower(t.topic) = ${there.topic}) as is_topic_there,
          ${former(sql)} as former,
          ${policies(sql, there)} as policies
        from (
          select coalesce(array_agg(t.id order by t.id), '{}') as ids,
            array_agg(floor(extract(epoch from t.date_sent) * 1000)::bigint order by t.id) as sent
          from messages t where ${ofTopic} and ${moves}
        ) moved
      ) moving
    ) as moving
    from messages m join channels on channels.id = m.channel_id
      left join subscriptions mine on mine.user_id = ${userId} and mine.channel_id = m.channel_id
    where m.id = ${messageId}`
  if (!row) throw new Error('the message to move is in no channel')
  return row.moving
}

const former = (sql: ISql): Parts => sql`
  case when channels.history_public_to_subscribers then (
    select json_agg(user_id order by user_id) from (
      select user_id from subscriptions s
      where s.channel_id = m.channel_id and not s.is_active and exists (select from unnest(ids) as given (id) where given.id <@ s.spans)
      union
      select f.user_id from message_flags f left join subscriptions s on s.user_id = f.user_id and s.channel_id = m.channel_id
      where f.message_id = any(ids) and f.flags & ${ownFlags}::int <> 0 and s.is_active is not true
    ) former
  ) end`

const policies = (sql: ISql, there: { readonly channel: Parts; readonly topic: Parts }): Parts => sql`
  (
    select json_agg(json_build_object('user_id', user_id, 'here', here, 'there', there,
      'is_subscribed', exists (select from subscriptions s where s.user_id = holders.user_id and s.channel_id = m.channel_id and s.is_active),
      'is_subscribed_there', exists (
        select from subscriptions s where s.user_id = holders.user_id and s.channel_id = ${there.channel} and s.is_active)
    ) order by user_id)
    from (
      select user_id, coalesce(max(visibility_policy) filter (where is_here), 0) as here,
        coalesce(max(visibility_policy) filter (where not is_here), 0) as there
      from (
        select user_id, visibility_policy, true as is_here from user_topics
        where channel_id = m.channel_id and lower(topic) = lower(m.topic)
        union all
        select user_id, visibility_policy, false from user_topics where channel_id = ${there.channel} and lower(topic) = ${there.topic}
      ) each_policy
      group by user_id
    ) holders
  )`
