import { isListed } from '../export-scope.js'
import type { Tables } from '../table.js'

/** What only its owner sees: of the accounts whose private data the export contains. */
export const ownTables: Tables = {
  alertword: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by u.id, word.place), 'realm', 1, 'user_profile', u.id, 'word', word.text
    )::text as text
    from users u cross join unnest(u.alert_words) with ordinality as word (text, place)
    where ${isListed(tx, 'u.id', accounts)} order by u.id, word.place`,
  muteduser: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by u.id, muted.place), 'user_profile', u.id, 'muted_user', (muted.value->>'id')::int,
      'date_muted', (muted.value->>'timestamp')::bigint
    )::text as text
    from users u cross join jsonb_array_elements(u.muted_users) with ordinality as muted (value, place)
    where ${isListed(tx, 'u.id', accounts)} order by u.id, muted.place`,
  savedsnippet: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'user_profile', user_id, 'title', title, 'content', content, 'date_created', extract(epoch from date_created)
    )::text as text
    from saved_snippets where ${isListed(tx, 'user_id', accounts)} order by id`,
  draft: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'user_profile', user_id, 'type', type, 'to', recipients, 'topic', topic, 'content', content,
      'last_edit_time', extract(epoch from last_edited)
    )::text as text
    from drafts where ${isListed(tx, 'user_id', accounts)} order by id`,
  scheduledmessage: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'sender', user_id, 'stream', channel_id, 'to', recipients, 'subject', topic, 'content', content,
      'rendered_content', rendered_content, 'scheduled_timestamp', extract(epoch from due), 'read_by_sender', read_by_sender,
      'delivered', false, 'failed', failed
    )::text as text
    from scheduled_messages where ${isListed(tx, 'user_id', accounts)} order by id`,
  reminder: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'user_profile', user_id, 'message', message_id, 'note', note, 'content', content,
      'scheduled_timestamp', extract(epoch from due), 'failed', failed
    )::text as text
    from reminders where ${isListed(tx, 'user_id', accounts)} order by id`,
  navigationview: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'user', user_id, 'fragment', fragment, 'is_pinned', is_pinned, 'name', name)::text as text
    from navigation_views where ${isListed(tx, 'user_id', accounts)} order by id`,
  botstoragedata: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object('bot_profile', bot_id, 'key', key, 'value', value)::text as text
    from bot_storage where ${isListed(tx, 'bot_id', accounts)} order by bot_id, key_hash`,
}
