import { asJson } from '../../driver/as-json.js'
import type { ISql } from '../../driver/db.js'
import type { ExportScope } from '../export-scope.js'
import { channelsOf, hasMessage, isListed } from '../export-scope.js'
import { isGroup } from '../recipients.js'
import type { Tables } from '../table.js'

const isChannelOf = (sql: ISql, column: string, scope: ExportScope) => isListed(sql, column, channelsOf(scope))

/** Conversations of three and more of which the export has messages. */
const groups = (sql: ISql, { accounts, channels }: ExportScope) => sql`
  select c.id, c.user_ids from conversations c
  where ${isGroup(sql)} and (${channels === null}::boolean or c.user_ids && ${(accounts ?? []) as number[]}::int[])`

/** Conversations of three and more, and policies of topics. */
export const conversationTables: Tables = {
  huddle: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'huddle_hash', encode(sha256(array_to_string(user_ids, ',')::bytea), 'hex'), 'group_size', cardinality(user_ids),
      'recipient', id::bigint * 4 + 3
    )::text as text
    from (${groups(tx, scope)}) c order by id`,
  usertopic: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by user_id, channel_id, lower(topic) collate "C"), 'user_profile', user_id, 'stream', channel_id,
      'recipient', channel_id::bigint * 4 + 2, 'topic_name', topic, 'visibility_policy', visibility_policy,
      'last_updated', extract(epoch from last_updated)
    )::text as text
    from user_topics where ${isListed(tx, 'user_id', scope.accounts)} and ${isChannelOf(tx, 'channel_id', scope)}
    order by user_id, channel_id, lower(topic) collate "C"`,
}

export const channelTables: Tables = {
  ...conversationTables,
  stream: (tx, scope) => tx<{ text: string }[]>`
    select (jsonb_build_object(
      'id', id, 'realm', 1, 'name', name, 'description', description, 'rendered_description', rendered_description,
      'date_created', extract(epoch from date_created), 'creator', creator_id, 'deactivated', is_archived, 'invite_only', invite_only,
      'is_web_public', is_web_public, 'history_public_to_subscribers', history_public_to_subscribers,
      'message_retention_days', message_retention_days, 'first_message_id', first_message_id, 'folder', folder_id,
      'topics_policy', topics_policy, 'recipient', id::bigint * 4 + 2
    ) || ${asJson(tx, scope.channelDefaults)}::jsonb || settings)::text as text
    from channels where ${isChannelOf(tx, 'id', scope)} order by id`,
  channelfolder: tx => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'realm', 1, 'name', name, 'description', description, 'rendered_description', rendered_description, 'order', position,
      'creator', creator_id, 'date_created', extract(epoch from date_created), 'is_archived', is_archived
    )::text as text
    from channel_folders order by id`,
  defaultstream: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'realm', 1, 'stream', id)::text as text
    from channels where is_default and ${isChannelOf(tx, 'id', scope)} order by id`,
  defaultstreamgroup: tx => tx<{ text: string }[]>`
    select json_build_object('id', id, 'realm', 1, 'name', name, 'description', description, 'streams', channel_ids)::text as text
    from default_channel_groups order by id`,
  recipient: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', type_id::bigint * 4 + type, 'type', type, 'type_id', type_id)::text as text from (
      select id as type_id, 1 as type from users
      union all select id, 2 from channels where ${isChannelOf(tx, 'id', scope)}
      union all select id, 3 from (${groups(tx, scope)}) c
    ) recipients order by type, type_id`,
  // The settings of a subscription are the subscriber's own.
  subscription: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', row_number() over (order by recipient, user_id), 'user_profile', user_id, 'recipient', recipient, 'active', active,
      'is_muted', is_muted, 'color', color, 'pin_to_top', pin_to_top, 'desktop_notifications', desktop_notifications,
      'email_notifications', email_notifications, 'push_notifications', push_notifications,
      'audible_notifications', audible_notifications, 'wildcard_mentions_notify', wildcard_mentions_notify
    )::text as text
    from (
      select user_id, channel_id::bigint * 4 + 2 as recipient, is_active as active, own.is_muted, own.color, own.pin_to_top,
        own.desktop_notifications, own.email_notifications, own.push_notifications, own.audible_notifications,
        own.wildcard_mentions_notify
      from subscriptions cross join lateral (
        select coalesce(${isListed(tx, 'user_id', scope.accounts)} and is_muted, false) as is_muted,
          case when ${isListed(tx, 'user_id', scope.accounts)} then color else '#c2c2c2' end as color,
          coalesce(${isListed(tx, 'user_id', scope.accounts)} and pin_to_top, false) as pin_to_top,
          case when ${isListed(tx, 'user_id', scope.accounts)} then desktop_notifications end as desktop_notifications,
          case when ${isListed(tx, 'user_id', scope.accounts)} then email_notifications end as email_notifications,
          case when ${isListed(tx, 'user_id', scope.accounts)} then push_notifications end as push_notifications,
          case when ${isListed(tx, 'user_id', scope.accounts)} then audible_notifications end as audible_notifications,
          case when ${isListed(tx, 'user_id', scope.accounts)} then wildcard_mentions_notify end as wildcard_mentions_notify
      ) own
      where ${isChannelOf(tx, 'channel_id', scope)}
      union all
      select member, c.id::bigint * 4 + 3, true, false, '#c2c2c2', false, null, null, null, null, null
      from (${groups(tx, scope)}) c cross join unnest(c.user_ids) as member
    ) given order by recipient, user_id`,
}

/** Rows that belong to the messages of an export, also to those of earlier exports on which it builds. */
export const messageTables: Tables = {
  reaction: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', r.id, 'user_profile', r.user_id, 'message', r.message_id, 'emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
      'reaction_type', r.reaction_type
    )::text as text
    from reactions r join messages m on m.id = r.message_id where m.id <= ${scope.cut} and ${hasMessage(tx, scope)} order by r.id`,
  submessage: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', s.id, 'message', s.message_id, 'sender', s.sender_id, 'msg_type', s.msg_type, 'content', s.content
    )::text as text
    from submessages s join messages m on m.id = s.message_id where m.id <= ${scope.cut} and ${hasMessage(tx, scope)} order by s.id`,
}
