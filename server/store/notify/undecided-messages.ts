import type { Tx } from '../driver/db.js'
import { flagBit, wildcardBit } from '../messages/message-flags.js'
import type { Parts } from '../organization/outbox.js'

/** A message of which users may have to be notified, with all users that its own rows and the settings of its place name. */
export interface UndecidedMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly subscribers_version: number | null
  /** Of a direct message: all participants. It has no other list of users. */
  readonly participants: number[] | null
  readonly mentions_channel: boolean
  readonly mentioned: number[] | null
  readonly topic_mentioned: number[] | null
  /** Users who follow its topic. */
  readonly followers: number[] | null
  /** Subscribers who want to be notified of each message of the channel. */
  readonly askers: number[] | null
  /** An edit has added the mentions. */
  readonly isEdit: boolean
}

/** The messages above `after` and up to `upto`, the oldest `limit` of them. */
export const undecidedMessages = (
  tx: Tx,
  { after, upto, limit }: { readonly after: number; readonly upto: number; readonly limit: number },
): Promise<UndecidedMessage[]> =>
  messagesWhere(tx, tx`m.id > ${after} and m.id <= ${upto} order by m.id limit ${limit}`)

/** These messages, to decide again. */
export const messagesToDecide = (tx: Tx, ids: readonly number[]): Promise<UndecidedMessage[]> =>
  messagesWhere(tx, tx`m.id = any(${ids as number[]}::bigint[])`)

// A direct message notifies its participants for one reason: looking for others would change nothing.
const messagesWhere = (tx: Tx, condition: Parts): Promise<UndecidedMessage[]> =>
  tx<UndecidedMessage[]>`
    select m.id, m.sender_id, m.channel_id, there.subscribers_version, c.user_ids as participants,
      m.wildcard_mentions & ${wildcardBit.channel}::int <> 0 as mentions_channel,
      case when m.channel_id is not null then (
        select array_agg(user_id) from message_flags f where f.message_id = m.id and f.flags & ${flagBit.mentioned}::int <> 0
      ) end as mentioned,
      case when m.channel_id is not null then (
        select array_agg(user_id) from message_flags f
        where f.message_id = m.id and f.flags & ${flagBit.topic_wildcard_mentioned}::int <> 0
      ) end as topic_mentioned,
      case when m.channel_id is not null then (
        select array_agg(user_id) from user_topics t
        where t.channel_id = m.channel_id and lower(t.topic) = lower(m.topic) and t.visibility_policy = 3
      ) end as followers,
      case when m.channel_id is not null then (
        select array_agg(user_id) from subscriptions s
        where s.channel_id = m.channel_id and s.is_active and (s.email_notifications or s.push_notifications)
      ) end as askers,
      false as "isEdit"
    from messages m left join conversations c on c.id = m.conversation_id left join channels there on there.id = m.channel_id
    where ${condition} -- who is notified`

/** What the authors of these messages wrote. */
export async function contentsOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await tx<{ id: number; content: string }[]>`
    select id, content from messages where id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(row => [row.id, row.content]))
}

/** Takes the mentions that edits have added, the oldest `limit` of them. */
export function takeNewMentions(tx: Tx, limit: number): Promise<UndecidedMessage[]> {
  const flagged = (bit: number) => tx`
    (select array_agg(user_id) from unnest(taken.user_ids, taken.flags) as named (user_id, flag) where flag & ${bit}::int <> 0)`
  return tx<UndecidedMessage[]>`
    with taken as (
      delete from new_mentions where id in (select id from new_mentions order by id limit ${limit}) returning *
    )
    select m.id, m.sender_id, m.channel_id, there.subscribers_version, null as participants,
      taken.wildcard_mentions & ${wildcardBit.channel}::int <> 0 as mentions_channel,
      ${flagged(flagBit.mentioned)} as mentioned, ${flagged(flagBit.topic_wildcard_mentioned)} as topic_mentioned,
      null as followers, null as askers, true as "isEdit"
    from taken join messages m on m.id = taken.message_id join channels there on there.id = m.channel_id order by taken.id -- who is notified`
}
