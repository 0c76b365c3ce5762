import type { ISql } from '../driver/db.js'
import type { InsertedMessage, NewMessage } from '../messages/messages.js'
import { isVersion } from '../organization/organization.js'

interface InsertedRow {
  id: number
  outbox_id: number
  xid: string
  is_first: boolean
}

/** A message to a channel that needs nothing but its own row and one outbox row. */
interface UsualMessage extends NewMessage {
  readonly channel_id: number
}

/** Whether `insertUsualMessage` can store the message: it has no row of its own for a user, a file, a widget or a local id. */
export const isUsual = (message: NewMessage): message is UsualMessage =>
  message.channel_id !== null &&
  message.entries.length === 1 &&
  message.flags.length === 0 &&
  message.readerIds.length === 0 &&
  message.attachmentIds.length === 0 &&
  message.widget === undefined &&
  !message.awaitsWebsites &&
  message.requestKey === undefined &&
  message.ends === undefined &&
  !message.asksForStart

/**
 * Stores one message as `insertMessages` does, under the same conditions. A statement for one usual message, with a parameter for each
 * value, takes a quarter less of PostgreSQL than the one for any number of messages (docs/performance.md#what-dominates).
 */
export async function insertUsualMessage(sql: ISql, message: UsualMessage): Promise<InsertedMessage | undefined> {
  // I1: the message and its outbox row are one statement.
  const [row] = await sql<InsertedRow[]>`
    with locked as materialized (
      select version, subscribers_version, first_message_id from channels where id = ${message.channel_id} for share
    ), checked as materialized (
      select nextval('messages_id_seq') as id, first_message_id is null as is_first
      from locked
      where (version, subscribers_version) = (${message.channelVersion}, ${message.subscribersVersion})
        and ${isVersion(sql, message.organizationVersion)}
    ), announced as (
      insert into outbox (message_id, entry) select id, ${message.entries[0] as Uint8Array}::bytea from checked
      returning id
    ), stored as (
      insert into messages (id, sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent, client,
        read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions, search)
      overriding system value
      select id, ${message.sender_id}, ${message.channel_id}, ${message.topic}, ${message.content},
        ${message.rendered_content}, ${message.renderer_version}, ${message.date_sent}, ${message.client},
        ${message.read_by_sender}, ${message.read_by_all}, ${message.is_me_message}, ${message.has_link},
        ${message.has_image}, ${message.has_attachment}, ${message.wildcard_mentions},
        ${message.search}::tsvector || search_marks(id, ${message.has_link}, ${message.has_image}, ${message.has_attachment})
      from checked
    )
    select checked.id, announced.id as outbox_id, pg_current_xact_id()::text as xid, is_first from checked, announced`
  if (!row) return undefined
  const { id, outbox_id, xid, is_first: isFirst } = row
  return { id, isRepeat: false, outboxIds: [outbox_id], xid, isFirst, isStart: false }
}
