import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'
import type { MessageText } from './message-edits.js'
import { flagBit } from './message-flags.js'
import { type OpenedMessage, type Versioned, version } from './open-message.js'

/** Flags that come from the content of a message. */
export const flagsOfContent = flagBit.mentioned | flagBit.topic_wildcard_mentioned | flagBit.has_alert_word

/** Flags that a user can have on a message without having received it. */
export const ownFlags = flagBit.starred | flagBit.collapsed | flagBit.historical

/** Users with the same flags on a message. */
export interface ReaderFlags {
  /** Ascending. */
  readonly user_ids: readonly number[]
  readonly bits: number
  readonly is_read: boolean
  readonly is_received: boolean
}

/** What `openMessage` reads with `editable`. */
export interface Editable
  extends Versioned,
    Omit<MessageText, 'id' | 'sender_id' | 'channel_id' | 'conversation_id' | 'topic'> {
  readonly date_sent: Date
  readonly submessage_bytes: number
  readonly wildcard_mentions: number
  readonly was_edited: boolean
  /** Whether a user has one of `flagsOfContent`. */
  readonly has_mentions: boolean
  /** The files that the message uses, ascending. */
  readonly attachment_ids: number[]
  /** The flags of its readers; all that are not named received it, have not read it and have no other flag. Null: none is named. */
  readonly reader_flags: readonly ReaderFlags[] | null
}

/** A message that is to be edited or moved, and what the event of that needs. */
export type EditableMessage = OpenedMessage & Editable

export const editable = (sql: ISql): Parts => sql`
  ${version(sql)}, m.content, m.rendered_content, m.is_me_message, m.date_sent, m.submessage_bytes, m.wildcard_mentions,
  m.last_edit_time is not null as was_edited,
  exists (select from message_flags where message_id = m.id and flags & ${flagsOfContent}::int <> 0) as has_mentions,
  array(select attachment_id from attachment_uses where message_id = m.id order by 1) as attachment_ids,
  (
    select json_agg(differing) from (
      select array_agg(user_id order by user_id) as user_ids, bits, is_read, is_received from (
        select reader.user_id, coalesce(f.flags, 0) as bits, is_received,
          coalesce(r.ranges @> m.id, false) or not is_active
            or ((m.read_by_all or m.sender_id = reader.user_id and m.read_by_sender)
              and coalesce(f.flags, 0) & ${flagBit.ownUnread}::int = 0) as is_read
        from (${readers(sql)}) reader (user_id, is_active, is_received)
          left join message_flags f on f.message_id = m.id and f.user_id = reader.user_id
          left join read_state r on r.user_id = reader.user_id and r.block = (m.id >> 16)::int
      ) each_user
      where bits <> 0 or is_read or not is_received
      group by bits, is_read, is_received
    ) differing
  ) as reader_flags`

/** All who may have flags on the message `m`. */
const readers = (sql: ISql): Parts => sql`
  select user_id, is_active, m.id <@ spans from subscriptions
  where channel_id = m.channel_id and (is_active or m.id <@ spans)
  union all
  select f.user_id, false, false from message_flags f
    left join subscriptions s on s.user_id = f.user_id and s.channel_id = m.channel_id
  where m.channel_id is not null and f.message_id = m.id and f.flags & ${ownFlags}::int <> 0
    and (s.is_active or m.id <@ s.spans) is not true
  union all
  select unnest(conversations.user_ids), true, true`
