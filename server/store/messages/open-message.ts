import type { ISql } from '../driver/db.js'
import { isVersion } from '../organization/organization.js'
import type { Parts } from '../organization/outbox.js'
import { flagBit } from './message-flags.js'
import type { PlacedMessage } from './message-rows.js'

/** A message that the worker is about to change, and what decides who may see it, read without locks. */
export interface OpenedMessage
  extends Pick<
    PlacedMessage,
    'id' | 'sender_id' | 'channel_id' | 'conversation_id' | 'topic' | 'user_ids' | 'is_received' | 'is_subscribed'
  > {
  /** Whether the user muted the channel. */
  is_muted: boolean
  /** Of the channel, with its subscribers; null in a conversation. */
  channel_version: number | null
  subscribers_version: number | null
  /**
   * Users who received the message while they were subscribed, or have flags on it, and are no longer subscribed; in a channel with
   * protected history also subscribers who received it. Ascending; null: none.
   */
  holders: number[] | null
}

// Flags that a user can have on a message without having received it.
const own = flagBit.starred | flagBit.collapsed | flagBit.historical

/**
 * The message as the user sees it; undefined: it does not exist. `more`: further columns, computed of the row `m`; they begin with a comma.
 */
export async function openMessage<More extends object = object>(
  sql: ISql,
  userId: number,
  messageId: number,
  more: Parts = sql``,
): Promise<(OpenedMessage & More) | undefined> {
  const [row] = await sql<(OpenedMessage & More)[]>`
    select m.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, conversations.user_ids,
      coalesce(conversations.user_ids @> array[${userId}::int] or m.id <@ mine.spans, false) as is_received,
      coalesce(mine.is_active, false) as is_subscribed, coalesce(mine.is_active and mine.is_muted, false) as is_muted,
      channels.version as channel_version, channels.subscribers_version,
      case when m.channel_id is not null then (
        select array_agg(user_id order by user_id) from (
          select user_id from subscriptions s
          where s.channel_id = m.channel_id and not s.is_active and m.id <@ s.spans
          union all
          select user_id from subscriptions s
          where not channels.history_public_to_subscribers and s.channel_id = m.channel_id and s.is_active and m.id <@ s.spans
          union
          select f.user_id from message_flags f
            left join subscriptions s on s.user_id = f.user_id and s.channel_id = m.channel_id
          where channels.history_public_to_subscribers and f.message_id = m.id and f.flags & ${own}::int <> 0
            and s.is_active is not true
        ) holders
      ) end as holders ${more}
    from messages m
      left join channels on channels.id = m.channel_id
      left join conversations on conversations.id = m.conversation_id
      left join subscriptions mine on mine.user_id = ${userId} and mine.channel_id = m.channel_id
    where m.id = ${messageId}`
  return row
}

/**
 * The part `checked` of `storeWithEvents`: has a row if the message is where it was, and neither the organization nor its channel with its
 * subscribers has changed. It locks the channel, against changes of its subscribers, and then the message: with `share` other requests may do
 * so, too.
 */
export function stillOpen(
  sql: ISql,
  message: OpenedMessage,
  organizationVersion: number,
  lock: 'share' | 'update' = 'share',
): Parts {
  const { id, channel_id, topic, channel_version, subscribers_version } = message
  // Not `for key share`, which would lock a version of the row that another transaction has replaced, without comparing the new one.
  const locked = lock === 'share' ? sql`for share` : sql`for no key update`
  if (channel_id === null) {
    return sql`
      held as materialized (select id from messages where id = ${id} ${locked}),
      checked as materialized (select id from held where ${isVersion(sql, organizationVersion)})`
  }
  return sql`
    place as materialized (
      select version, subscribers_version from channels where id = ${channel_id} for share
    ), held as materialized (
      select id from messages
      where id = ${id} and channel_id = ${channel_id} and topic = ${topic}
        and (${channel_version}::bigint, ${subscribers_version}::bigint) = (select version, subscribers_version from place)
      ${locked}
    ), checked as materialized (select id from held where ${isVersion(sql, organizationVersion)})`
}

/** What `openMessage` reads with `version`. */
export interface Versioned {
  /** The transaction that wrote the row, from its column xmin: each change of the row makes a new one. */
  readonly row_version: number
}

export const version = (sql: ISql): Parts => sql`, m.xmin::text::bigint as row_version`

/** What `openMessage` reads with `editedOrNot`. */
export interface MaybeEdited {
  readonly was_edited: boolean
}

export const editedOrNot = (sql: ISql): Parts => sql`, m.last_edit_time is not null as was_edited`

/** As `stillOpen` with `update`, for a change that rests on what the message is: it has not changed at all. The row has its former content and place. */
export function stillSame(sql: ISql, message: OpenedMessage & Versioned, organizationVersion: number): Parts {
  const { id, channel_id, row_version, channel_version, subscribers_version } = message
  const same = sql`
    select id, channel_id, topic, content, rendered_content from messages
    where id = ${id} and xmin = ${String(row_version)}::xid`
  const checked = sql`checked as materialized (select * from held where ${isVersion(sql, organizationVersion)})`
  if (channel_id === null) return sql`held as materialized (${same} for no key update), ${checked}`
  return sql`
    place as materialized (select version, subscribers_version from channels where id = ${channel_id} for share),
    held as materialized (
      ${same} and (${channel_version}::bigint, ${subscribers_version}::bigint) = (select version, subscribers_version from place)
      for no key update
    ), ${checked}`
}
