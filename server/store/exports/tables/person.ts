import type { ISql } from '../../driver/db.js'
import { channelsOf, type ExportScope, isListed, isOfPerson } from '../export-scope.js'
import type { Tables } from '../table.js'
import { conversationTables } from './channels.js'
import { profileTables } from './organization.js'
import { ownTables } from './own-things.js'

const isOwn = (sql: ISql, scope: ExportScope) => isOfPerson(sql, 'user_id', scope)

/** The tables of an export of one person. */
export const personTables: Tables = {
  ...profileTables,
  ...ownTables,
  ...conversationTables,
  stream: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'name', name, 'description', description, 'recipient', id::bigint * 4 + 2)::text as text
    from channels where ${isListed(tx, 'id', channelsOf(scope))} and (
      id in (select channel_id from subscriptions where ${isOwn(tx, scope)})
      or id in (select channel_id from messages where ${isOfPerson(tx, 'sender_id', scope)})
    ) order by id`,
  subscription: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'user_profile', user_id, 'recipient', channel_id::bigint * 4 + 2, 'active', is_active, 'is_muted', is_muted, 'color', color,
      'pin_to_top', pin_to_top, 'desktop_notifications', desktop_notifications, 'email_notifications', email_notifications,
      'push_notifications', push_notifications, 'audible_notifications', audible_notifications,
      'wildcard_mentions_notify', wildcard_mentions_notify
    )::text as text
    from subscriptions where ${isOwn(tx, scope)} order by channel_id`,
  // Whose names the messages of conversations need.
  correspondent: (tx, { accounts }) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'full_name', full_name, 'is_bot', is_bot)::text as text
    from users where id in (
      select unnest(c.user_ids) from conversations c where c.user_ids && ${(accounts ?? []) as number[]}::int[]
    ) order by id`,
  reaction: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'user_profile', user_id, 'message', message_id, 'emoji_name', emoji_name, 'emoji_code', emoji_code,
      'reaction_type', reaction_type
    )::text as text
    from reactions where ${isOwn(tx, scope)} order by id`,
  submessage: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'message', message_id, 'sender', sender_id, 'msg_type', msg_type, 'content', content)::text as text
    from submessages where ${isOfPerson(tx, 'sender_id', scope)} order by id`,
  sidebar: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'sections', sections, 'collapsed', collapsed, 'pinned_channels', pinned_channels, 'unread_only', unread_only
    )::text as text
    from sidebars where ${isOwn(tx, scope)}`,
  session: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'created', extract(epoch from created), 'last_used', extract(epoch from last_used), 'method', method, 'device', device,
      'address', address
    )::text as text
    from sessions where ${isOwn(tx, scope)} order by id`,
  device: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'date_registered', extract(epoch from date_registered))::text as text
    from devices where ${isOwn(tx, scope)} order by id`,
  pushdevice: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('id', id, 'name', name, 'created', extract(epoch from created))::text as text
    from push_devices where ${isOwn(tx, scope)} order by id`,
  authenticatorapp: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('created', extract(epoch from created))::text as text
    from authenticator_apps where ${isOwn(tx, scope)}`,
  passkey: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'name', name, 'created', extract(epoch from created), 'last_used', extract(epoch from last_used)
    )::text as text
    from passkeys where ${isOwn(tx, scope)} order by id`,
  identity: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('provider', provider, 'subject', subject, 'date_linked', extract(epoch from date_linked))::text as text
    from identities where ${isOwn(tx, scope)} order by provider`,
  provisioneduser: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('user_name', user_name, 'external_id', external_id)::text as text
    from provisioned_users where ${isOwn(tx, scope)}`,
  pendingaddress: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object('address', address, 'expires', extract(epoch from expires))::text as text
    from pending_addresses where ${isOwn(tx, scope)}`,
  invitation: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'email', email, 'role', role, 'created', extract(epoch from created), 'expires', extract(epoch from expires)
    )::text as text
    from invitations where ${isOfPerson(tx, 'inviter_id', scope)} order by id`,
  // What the person did to others is here without values, which belong to the others.
  auditlog: (tx, scope) => tx<{ text: string }[]>`
    select json_build_object(
      'id', id, 'at', extract(epoch from at), 'actor', actor_id, 'event', event, 'subject', subject,
      'address', case when ${isOfPerson(tx, 'actor_id', scope)} then address end,
      'before', case when ${isAbout(tx, scope)} then before end, 'after', case when ${isAbout(tx, scope)} then after end
    )::text as text
    from audit_log where ${isOfPerson(tx, 'actor_id', scope)} or (subject ? 'user_id' and ${isAbout(tx, scope)}) order by id`,
}

const isAbout = (sql: ISql, { person }: ExportScope) =>
  sql`subject -> 'user_id' is not distinct from to_jsonb(${person?.id ?? null}::int)`

/**
 * Columns that name an account (`personalColumns`), with the table of an export of one person that has its rows, or after a dash the reason why none
 * has. `test/laws/erasure.test.ts` finds a column that is missing here.
 */
export const exportedColumns: Readonly<Record<string, string>> = {
  'pending_addresses.user_id': 'pendingaddress',
  'devices.user_id': 'device',
  'bot_storage.bot_id': 'botstoragedata',
  'bot_storage_sizes.bot_id': '- follows from bot_storage',
  'saved_snippets.user_id': 'savedsnippet',
  'drafts.user_id': 'draft',
  'navigation_views.user_id': 'navigationview',
  'sidebars.user_id': 'sidebar',
  'sidebars.pinned_channels': '- no account: ids of channels',
  'user_topics.user_id': 'usertopic',
  'message_flags.user_id': '- in the files of messages',
  'read_state.user_id': '- in the files of messages',
  'resumable_uploads.user_id': '- no file yet; it ends after a day',
  'website_work.sender_id': '- of the last seconds',
  'confirmations.user_id': '- keys of mailed links',
  'sessions.user_id': 'session',
  'identities.user_id': 'identity',
  'authenticator_apps.user_id': 'authenticatorapp',
  'passkeys.user_id': 'passkey',
  'recovery_codes.user_id': '- secrets',
  'provisioned_users.user_id': 'provisioneduser',
  'invitations.inviter_id': 'invitation',
  'scheduled_messages.user_id': 'scheduledmessage',
  'reminders.user_id': 'reminder',
  'missed_messages.user_id': '- which messages a mail is about to name',
  'missed_mails.user_id': '- when such a mail is due',
  'push_devices.user_id': 'pushdevice',
  'event_subscriptions.user_id': '- of bots only',
  'pushed_messages.user_id': '- which pushes may have to be withdrawn',
  'sent_digests.user_id': '- when a digest was sent last',
  'quota_warnings.user_id': '- when a warning was sent last',
  'mail_addresses.user_id': '- secrets',
  'mail_addresses.sender_id': '- secrets',
  'subscriptions.user_id': 'subscription',
  'messages.sender_id': '- in the files of messages',
  'reactions.user_id': 'reaction',
  'attachments.user_id': '- in attachment.json and the folder uploads',
  'archived_messages.sender_id': '- deleted, and gone after 30 days',
  'archived_files.user_id': '- deleted, and gone after 30 days',
  'audit_log.actor_id': 'auditlog',
  'exports.user_id': '- the archives themselves',
  'users.muted_users': 'muteduser',
  'users.bot_owner_id': '- bots are accounts of their own',
  'user_groups.creator_id': '- the group belongs to the organization',
  'user_group_members.user_id': 'usergroupmembership',
  'channels.creator_id': '- the channel belongs to the organization',
  'channel_folders.creator_id': '- the folder belongs to the organization',
  'custom_emoji.author_id': '- the emoji belongs to the organization',
  'conversations.user_ids': 'huddle',
  'submessages.sender_id': 'submessage',
  'message_edits.user_id': '- in the files of messages, of own messages',
  'archived_messages.deleter_id': '- a message of another user',
  'scheduled_messages.recipients': '- the message belongs to its sender',
  'drafts.recipients': '- the draft belongs to its author',
  'mail_addresses.people': '- secrets of another user',
  'exports.requester_id': 'auditlog',
  'import_requests.requester_id': 'auditlog',
  'exports.consenting': '- in the settings of the account',
  'list_changes.user_ids': '- of the last changes',
  'new_mentions.user_ids': '- of the last seconds',
}
