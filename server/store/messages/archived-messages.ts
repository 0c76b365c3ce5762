import type { ISql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import { flagBit } from './message-flags.js'

/** Moves messages, with what hangs on them, to the archive. `deleterId`: null if they have expired. The caller has locked them. */
export async function archiveMessages(tx: Tx, ids: readonly number[], deleterId: number | null): Promise<void> {
  noteListChange(tx)
  await tx`select archive_messages(${ids as number[]}::bigint[], ${deleterId}::int)`
}

/** Which archived messages are meant; absent: all. */
export interface ArchivedFilter {
  readonly ids?: readonly number[] | undefined
  readonly channelId?: number | undefined
  /** 0: direct messages only. */
  readonly senderId?: number | undefined
  /** Archived at this time or later. */
  readonly since?: Date | undefined
  readonly isDirect?: boolean | undefined
}

const matches = (sql: ISql, { ids, channelId, senderId, since, isDirect }: ArchivedFilter) => sql`
  (${ids === undefined} or id = any(${(ids ?? []) as number[]}::bigint[]))
  and (${channelId === undefined} or channel_id = ${channelId ?? 0})
  and (${senderId === undefined} or sender_id = ${senderId ?? 0})
  and (${since === undefined} or archived >= ${since ?? new Date(0)})
  and (${isDirect !== true} or conversation_id is not null)`

/** Where an archived message was. */
export interface ArchivedPlace {
  readonly id: number
  readonly channel_id: number | null
  readonly date_sent: Date
}

/** Archived messages with higher ids than `after`, ascending, at most `most`. */
export function archivedPlaces(
  sql: ISql,
  filter: ArchivedFilter,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<ArchivedPlace[]> {
  return sql<ArchivedPlace[]>`
    select id, channel_id, date_sent from archived_messages where id > ${after} and ${matches(sql, filter)}
    order by id limit ${most}`
}

/** What the archive contains. */
export interface ArchiveFigures {
  readonly messages: number
  /** When the first and the last of them came to the archive; null: it is empty. */
  readonly oldest: Date | null
  readonly newest: Date | null
  readonly files: number
  readonly bytes: number
}

export async function archiveFigures(sql: ISql): Promise<ArchiveFigures> {
  const [row] = await sql<[ArchiveFigures]>`
    select count(*)::int as messages, min(archived) as oldest, max(archived) as newest,
      (select count(*)::int from archived_files) as files,
      (select coalesce(sum(size), 0)::bigint from archived_files) as bytes
    from archived_messages`
  return row
}

/** Deletes messages for good that were archived before this time, the oldest first, at most `most`; returns the files that they used. */
export async function deleteArchived(
  tx: Tx,
  before: Date,
  most: number,
): Promise<{ readonly count: number; readonly fileIds: number[] }> {
  const rows = await tx<{ file_ids: number[] }[]>`
    delete from archived_messages where id in (
      select id from archived_messages where archived < ${before} order by archived limit ${most} for update skip locked)
    returning file_ids`
  return { count: rows.length, fileIds: [...new Set(rows.flatMap(row => row.file_ids))] }
}

/** What came back from the archive. */
export interface Restored {
  readonly id: number
  readonly channel_id: number | null
  readonly topic: string
  readonly file_ids: number[]
}

/**
 * Brings messages back, with what hung on them, except for uses of files that are gone. They count as read by all users, whose clients learn of
 * them by no event. The files themselves are back (`restoreFiles`). The caller holds the channels. A message that another transaction deletes for good or restores at this moment is left out.
 */
export async function restoreMessages(tx: Tx, ids: readonly number[]): Promise<Restored[]> {
  noteListChange(tx)
  return tx<Restored[]>`
    with taken as materialized (
      delete from archived_messages where id in (
        select id from archived_messages where id = any(${ids as number[]}::bigint[]) order by id for update)
      returning *
    ), back as (
      insert into messages (
        id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version, date_sent, client, read_by_sender,
        is_me_message, has_link, has_image, has_attachment, wildcard_mentions, read_by_all, submessage_bytes, last_edit_time, last_move_time)
      overriding system value
      select id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version, date_sent, client, read_by_sender,
        is_me_message, has_link, has_image, has_attachment, wildcard_mentions, true, submessage_bytes, last_edit_time, last_move_time
      from taken order by id
    ), submessages_back as (
      insert into submessages (id, message_id, sender_id, msg_type, content)
      select r.id, r.message_id, r.sender_id, r.msg_type, r.content
      from taken, jsonb_populate_recordset(null::submessages, parts -> 'submessages') r
    ), edits_back as (
      insert into message_edits (
        id, message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content, prev_rendered_content)
      overriding system value
      select r.id, r.message_id, r.user_id, r.edited_at, r.prev_stream, r.stream, r.prev_topic, r.topic, r.prev_content, r.prev_rendered_content
      from taken, jsonb_populate_recordset(null::message_edits, parts -> 'message_edits') r
    ), reactions_back as (
      insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name, id)
      overriding system value
      select r.message_id, r.user_id, r.reaction_type, r.emoji_code, r.emoji_name, r.id
      from taken, jsonb_populate_recordset(null::reactions, parts -> 'reactions') r
    ), flags_back as (
      insert into message_flags (user_id, message_id, flags)
      select r.user_id, r.message_id, r.flags & ~${flagBit.ownUnread}::int
      from taken, jsonb_populate_recordset(null::message_flags, parts -> 'message_flags') r
      where r.flags & ~${flagBit.ownUnread}::int <> 0
    ), uses_back as (
      insert into attachment_uses (attachment_id, message_id)
      select file.id, taken.id from taken, unnest(file_ids) as file (id) where file.id in (select id from attachments for key share)
    ), changed as (
      -- Workers keep the ids of old messages of a channel until its version changes.
      select channels_changed(array_agg(distinct channel_id)) from taken where channel_id is not null having count(*) > 0
    )
    select id, channel_id, topic, file_ids from taken left join changed on true order by id`
}
