import type { ISql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import { deleteMailsWith, jobsOf, valuePattern } from './personal-jobs.js'

/**
 * Every column that names an account, with what an erasure does: `rows` deletes the rows, `step` has a step of its own (`actions/users/erasure/`),
 * any other text is the reason why the column stays. It then leads to an account without name. `test/laws/erasure.test.ts` finds a column of a
 * migration that is missing here.
 */
export const personalColumns: Readonly<Record<string, string>> = {
  'pending_addresses.user_id': 'rows',
  'devices.user_id': 'rows',
  'event_subscriptions.user_id': 'rows',
  'bot_storage.bot_id': 'rows',
  'bot_storage_sizes.bot_id': 'rows',
  'saved_snippets.user_id': 'rows',
  'drafts.user_id': 'rows',
  'navigation_views.user_id': 'rows',
  'sidebars.user_id': 'rows',
  'user_topics.user_id': 'rows',
  'message_flags.user_id': 'rows',
  'read_state.user_id': 'rows',
  'resumable_uploads.user_id': 'rows',
  'website_work.sender_id': 'rows',
  'confirmations.user_id': 'rows',
  'sessions.user_id': 'rows',
  'identities.user_id': 'rows',
  'authenticator_apps.user_id': 'rows',
  'passkeys.user_id': 'rows',
  'recovery_codes.user_id': 'rows',
  'provisioned_users.user_id': 'rows',
  'invitations.inviter_id': 'rows',
  'scheduled_messages.user_id': 'rows',
  'reminders.user_id': 'rows',
  'missed_messages.user_id': 'rows',
  'missed_mails.user_id': 'rows',
  'push_devices.user_id': 'rows',
  'pushed_messages.user_id': 'rows',
  'sent_digests.user_id': 'rows',
  'quota_warnings.user_id': 'rows',
  'mail_addresses.user_id': 'rows',
  'mail_addresses.sender_id': 'rows',
  'subscriptions.user_id': 'step',
  'messages.sender_id': 'step',
  'reactions.user_id': 'step',
  'attachments.user_id': 'step',
  'archived_messages.sender_id': 'step',
  'archived_files.user_id': 'step',
  'audit_log.actor_id': 'step',
  'exports.user_id': 'step',
  'users.muted_users': 'accounts that another user mutes',
  'users.bot_owner_id': 'bots are accounts of their own',
  'user_groups.creator_id': 'the group belongs to the organization',
  'user_group_members.user_id': 'who has a permission, and had it',
  'channels.creator_id': 'the channel belongs to the organization',
  'channel_folders.creator_id': 'the folder belongs to the organization',
  'custom_emoji.author_id': 'the emoji belongs to the organization, and messages of others show it',
  'conversations.user_ids': 'the conversation belongs to the other people, too',
  'submessages.sender_id': 'votes and tasks belong to the message of another user',
  'message_edits.user_id': 'the change belongs to the message of another user',
  'archived_messages.deleter_id': 'who deleted the message of another user',
  'sidebars.pinned_channels': 'channels, which go with the row',
  'scheduled_messages.recipients': 'the message belongs to its sender',
  'drafts.recipients': 'the draft belongs to its author',
  'mail_addresses.people': 'the address belongs to another participant of the conversation',
  'exports.requester_id': 'who made an export',
  'import_requests.requester_id': 'who uploaded an archive',
  'exports.consenting': 'whose private data an export contains',
  'list_changes.user_ids': 'of the last changes, for memories of workers',
  'new_mentions.user_ids': 'of the last seconds',
}

const rowColumns = Object.entries(personalColumns).flatMap(([name, treatment]) => {
  const [table = '', column = ''] = name.split('.')
  return treatment === 'rows' ? [{ name, table, column }] : []
})

// Rows per statement.
const batch = 5000

/** Deletes some rows of the account in the tables of `rows`; returns their number. */
export async function deletePersonalRows(tx: Tx, userId: number): Promise<number> {
  let deleted = 0
  for (const { table, column } of rowColumns) {
    const { count } = await tx`
      delete from ${tx(table)} where ctid = any(array(select ctid from ${tx(table)} where ${tx(column)} = ${userId} limit ${batch}))`
    deleted += count
  }
  return deleted
}

/** Deletes the subscriptions of a deactivated account; the caller holds their channels (`channelsOf`). */
export async function deleteSubscriptionsOf(tx: Tx, userId: number): Promise<void> {
  noteListChange(tx, [userId])
  await tx`
    with gone as (delete from subscriptions where user_id = ${userId} returning channel_id)
    update channels set subscribers_version = subscribers_version + 1 where id in (select channel_id from gone)`
}

export async function channelsOf(sql: ISql, userId: number): Promise<number[]> {
  return (
    await sql<{ id: number }[]>`select channel_id as id from subscriptions where user_id = ${userId} order by 1`
  ).map(row => row.id)
}

/** Numbers of what is left of an account, by its kind; without kinds of which nothing is left. */
export async function remainingData(
  sql: ISql,
  userId: number,
  { withMessages }: { readonly withMessages: boolean },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, table, column } of rowColumns) {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from ${sql(table)} where ${sql(column)} = ${userId}`
    counts[name] = row.count
  }
  const [special] = await sql<[Record<string, number>]>`
    select
      (select count(*) from subscriptions where user_id = ${userId})::int as "subscriptions",
      (select count(*) from reactions where user_id = ${userId})::int as "reactions",
      (select count(*) from attachments where user_id = ${userId})::int as "files",
      (select count(*) from archived_files where user_id = ${userId})::int as "archived files",
      (select count(*) from archived_messages where sender_id = ${userId})::int as "archived messages",
      (select count(*) from archived_messages where ${archivedWith(sql, userId)})::int as "reactions and flags of archived messages",
      (select count(*) from messages where ${withMessages} and sender_id = ${userId})::int as "messages",
      (select count(*) from users where id = ${userId} and (
        not is_deleted or is_active or delivery_email not like 'deleteduser%' or password_hash is not null or avatar_path is not null
        or profile_data <> '{}' or settings <> '{}' or status <> '{}' or muted_users <> '[]' or alert_words <> '{}' or timezone <> ''
      ))::int as "profile",
      (select count(*) from exports where user_id = ${userId} and state in ('pending', 'ready'))::int as "archives",
      (select count(*) from jobs where ${jobsOf(sql, userId)})::int as "jobs",
      (select count(*) from audit_log where ${auditedOf(sql, userId)})::int as "audit log"`
  return Object.fromEntries(Object.entries({ ...counts, ...special }).filter(([, count]) => count > 0))
}

/** Values of changes of the account, and addresses of its clients. */
const auditedOf = (sql: ISql, userId: number) => sql`
  (subject ? 'user_id' and subject -> 'user_id' = to_jsonb(${userId}::int) and event <> all(${erasureEvents})
    and (before is not null or after is not null))
  or (actor_id = ${userId} and address <> '')`

/** Entries of the audit log about the erasure itself. */
export const erasureEvents = ['user/erasure', 'user/erased']

/** Removes values and addresses from the account's entries in the audit log; what happened, when and by which id stays. */
export async function redactAuditLog(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx`
    update audit_log set
      address = case when actor_id = ${userId} then '' else address end,
      before = case when ${isAbout(tx, userId)} then null else before end,
      after = case when ${isAbout(tx, userId)} then null else after end
    where id in (select id from audit_log where ${auditedOf(tx, userId)} limit ${batch})`
  return count
}

const isAbout = (sql: ISql, userId: number) =>
  sql`subject -> 'user_id' is not distinct from to_jsonb(${userId}::int) and event <> all(${erasureEvents})`

/**
 * Removes a person's address from entries of the audit log about others and from open invitations and confirmations, and mails with the address
 * or the name that were not sent.
 */
export async function forgetAddressAndName(
  tx: Tx,
  { delivery_email, full_name }: { readonly delivery_email: string; readonly full_name: string },
): Promise<void> {
  const address = delivery_email.toLowerCase()
  const quoted = valuePattern(address)
  await tx`
    update audit_log set before = null, after = null
    where lower(before::text) like ${quoted} or lower(after::text) like ${quoted}`
  await deleteMailsWith(tx, { address, name: full_name })
  await tx`delete from confirmations where lower(address) = ${address}`
  await tx`delete from invitations where lower(email) = ${address}`
  await tx`delete from invitation_mails where address = ${address}`
}

/** Archived messages of others with a reaction or flags of the account. */
const archivedWith = (sql: ISql, userId: number) => sql`
  (parts @? ${`$.reactions[*] ? (@.user_id == ${userId})`}::text::jsonpath
    or parts @? ${`$.message_flags[*] ? (@.user_id == ${userId})`}::text::jsonpath)`

/** Deletes the account's messages and its reactions to others from the archive; returns the files that the messages used. */
export async function eraseArchived(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx<{ file_ids: number[] }[]>`
    delete from archived_messages where sender_id = ${userId} returning file_ids`
  await tx`
    update archived_messages set parts = (
      select jsonb_object_agg(key, (
        select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(value) one
        where key = 'message_edits' or one -> 'user_id' is distinct from to_jsonb(${userId}::int)))
      from jsonb_each(parts))
    where ${archivedWith(tx, userId)}`
  return [...new Set(rows.flatMap(row => row.file_ids))]
}
