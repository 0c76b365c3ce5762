import type { Tx } from '../driver/db.js'
import { runText } from '../driver/statement-text.js'
import { columnsOf, type LineType } from './line-type.js'
import { messageLine } from './lines/message.js'
import { organizationLine } from './lines/organization.js'
import { botStorageLine } from './lines/own-things.js'

/** Stores lines of one kind, each a checked JSON object; the ids stay as they are. */
export async function insertLines(tx: Tx, type: LineType, lines: readonly string[]): Promise<void> {
  const json = `[${lines.join()}]`
  if (type === organizationLine) return await replaceOrganization(tx, json)
  if (type === botStorageLine) return await insertBotStorage(tx, json)
  const columns = columnsOf(type, true).join(', ')
  await runText(
    tx,
    `insert into ${type.table} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${type.table}, $1::text::json)`,
    [json],
  )
  if (type === messageLine) await insertOfMessages(tx, json)
}

async function replaceOrganization(tx: Tx, json: string): Promise<void> {
  await tx`
    update organization set name = given.name, description = given.description, settings = given.settings,
      user_settings_defaults = given.user_settings_defaults, pictures = given.pictures, is_active = given.is_active,
      date_created = given.date_created, full_members_as_of = given.full_members_as_of
    from json_populate_recordset(null::organization, ${json}::text::json) given`
  await tx`
    select setval('messages_id_seq', given.last_message_id)
    from json_to_recordset(${json}::text::json) as given (last_message_id int8) where given.last_message_id > 0`
}

async function insertBotStorage(tx: Tx, json: string): Promise<void> {
  await tx`
    insert into bot_storage (bot_id, key_hash, key, value)
    select bot_id, sha256(convert_to(key, 'UTF8')), key, value
    from json_populate_recordset(null::bot_storage, ${json}::text::json)`
}

async function insertOfMessages(tx: Tx, json: string): Promise<void> {
  // Workers that run already can have cached the channels without these old messages.
  await tx`
    select channels_changed(array_agg(distinct channel_id))
    from json_to_recordset(${json}::text::json) as given (channel_id int)`
  await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select given.id, one.user_id, one.reaction_type, one.emoji_code, one.emoji_name
    from json_to_recordset(${json}::text::json) as given (id int8, reactions json)
      cross join lateral json_array_elements(given.reactions) with ordinality as listed (reaction, place)
      cross join lateral json_populate_record(null::reactions, listed.reaction) as one
    order by given.id, listed.place`
  await tx`
    insert into message_edits (message_id, user_id, edited_at, prev_stream, stream, prev_topic, topic, prev_content,
      prev_rendered_content)
    select given.id, one.user_id, to_timestamp((edit->>'timestamp')::bigint), one.prev_stream, one.stream, one.prev_topic,
      one.topic, one.prev_content, one.prev_rendered_content
    from json_to_recordset(${json}::text::json) as given (id int8, edit_history json)
      cross join lateral json_array_elements(given.edit_history) with ordinality as listed (edit, place)
      cross join lateral json_populate_record(null::message_edits, listed.edit) as one
    order by given.id, listed.place desc`
  await tx`
    insert into submessages (id, message_id, sender_id, msg_type, content)
    select one.id, given.id, one.sender_id, one.msg_type, one.content
    from json_to_recordset(${json}::text::json) as given (id int8, submessages json)
      cross join lateral json_populate_recordset(null::submessages, given.submessages) as one`
  await tx`
    insert into message_flags (user_id, message_id, flags)
    select (pair->>0)::int, given.id, (pair->>1)::int
    from json_to_recordset(${json}::text::json) as given (id int8, flags json)
      cross join lateral json_array_elements(given.flags) as pair`
}
