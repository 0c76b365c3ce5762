import { asJson } from '../driver/as-json.js'
import type { ISql, Sql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'

// Messages per transaction.
const together = 5000

/** Deletes the messages with these ids, with their reactions and flags, and what says that people have read them. */
export async function deleteImported(sql: Sql, firstId: number, lastId: number): Promise<number> {
  let deleted = 0
  for (let from = firstId; from <= lastId; from += together) {
    const to = Math.min(from + together - 1, lastId)
    await sql.begin(async tx => {
      await tx`delete from missed_messages where message_id between ${from} and ${to}`
      const gone = await tx`delete from messages where id between ${from} and ${to}`
      deleted += gone.count
    })
  }
  await sql`
    with given as (select int8multirange(int8range(${firstId}, ${lastId}::bigint + 1)) as ids)
    update read_state set ranges = ranges - given.ids from given
    where block between ${firstId}::bigint >> 16 and ${lastId}::bigint >> 16 and ranges && given.ids`
  await sql`
    delete from read_state
    where block between ${firstId}::bigint >> 16 and ${lastId}::bigint >> 16 and isempty(ranges)`
  return deleted
}

/** A channel that the import made. */
export interface ImportedChannel {
  readonly id: number
  readonly name: string
}

export const importedChannels = (sql: ISql, importId: number): Promise<ImportedChannel[]> =>
  sql<ImportedChannel[]>`
    select channels.id, channels.name from channels join import_objects on object_id = channels.id
    where import_id = ${importId} and kind = 'channel' and is_new order by channels.id`

/** Whether the channel has messages without these ids. */
export async function hasOtherMessages(tx: Tx, channelId: number, firstId: number, lastId: number): Promise<boolean> {
  const rows = await tx`
    (select from messages where channel_id = ${channelId} and id < ${firstId} limit 1)
    union all (select from messages where channel_id = ${channelId} and id > ${lastId} limit 1)`
  return rows.length > 0
}

/**
 * Deletes a channel, with the groups that only its settings have; returns the ids of these. The database refuses (23503) if anything else names
 * the channel.
 */
export async function deleteChannel(tx: Tx, id: number, subscribers: readonly number[]): Promise<number[]> {
  noteListChange(tx, subscribers)
  const groups = await groupsOf(tx, [id])
  for (const table of ['subscriptions', 'user_topics', 'channel_changes', 'channel_traffic']) {
    await tx`delete from ${tx(table)} where channel_id = ${id}`
  }
  await tx`delete from channels where id = ${id}`
  return deleteUnusedGroups(tx, groups)
}

/** The first messages of the channels of an import, whose messages are deleted. */
export async function readFirstMessages(tx: Tx, importId: number): Promise<void> {
  noteListChange(tx)
  await tx`
    update channels set first_message_id = (select min(id) from messages where channel_id = channels.id)
    where id in (select object_id from import_objects where import_id = ${importId} and kind = 'channel')`
}

/** Groups without a name that hold values of settings of the channels. */
async function groupsOf(tx: Tx, channelIds: readonly number[]): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from user_groups where name is null and to_jsonb(id) in (
      select value from channels, jsonb_each(settings) where channels.id = any(${[...channelIds]}::int[]))`
  return rows.map(row => row.id)
}

async function deleteUnusedGroups(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const unused = (
    await tx<{ id: number }[]>`
      select id from unnest(${[...ids]}::int[]) as given (id) where to_jsonb(id) not in (
        select value from channels, jsonb_each(settings)
        union all select value from user_groups, jsonb_each(settings)
        union all select value from organization, jsonb_each(settings))`
  ).map(row => row.id)
  await deleteGroups(tx, unused)
  return unused
}

async function deleteGroups(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const table of ['user_group_members', 'user_group_subgroups']) {
    await tx`delete from ${tx(table)} where group_id = any(${[...ids]}::int[])`
  }
  await tx`delete from user_groups where id = any(${[...ids]}::int[])`
}

/** Deletes the groups of people that the import made and to which no setting and no other group refers; returns their ids. */
export async function deleteImportedGroups(tx: Tx, importId: number): Promise<number[]> {
  noteListChange(tx)
  const rows = await tx<{ id: number }[]>`
    with made as (
      select object_id as id from import_objects where import_id = ${importId} and kind = 'group' and is_new and object_id is not null)
    select id from made
    where not exists (select from user_group_subgroups where subgroup_id = made.id and group_id not in (select id from made))
      and to_jsonb(id) not in (
        select value from channels, jsonb_each(settings)
        union all select value from user_groups, jsonb_each(settings)
        union all select value from organization, jsonb_each(settings))`
  const ids = rows.map(row => row.id)
  await deleteGroups(tx, ids)
  return ids
}

/** Deletes the folders that the import made and in which no channel is; returns their ids. */
export async function deleteImportedFolders(tx: Tx, importId: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    delete from channel_folders using imports
    where imports.id = ${importId} and channel_folders.date_created between started and coalesce(finished, now())
      and channel_folders.creator_id is null and not exists (select from channels where folder_id = channel_folders.id)
    returning channel_folders.id`
  return rows.map(row => row.id)
}

/**
 * Deletes the conversations that the import made and that have no message; workers remember their ids. `userId`: only those of this account;
 * null: all.
 */
export async function deleteImportedConversations(tx: Tx, importId: number, userId: number | null): Promise<void> {
  await tx`
    delete from conversations using import_objects
    where import_id = ${importId} and kind = 'conversation' and is_new and object_id = conversations.id
      and (${userId}::int is null or user_ids @> array[${userId}::int])
      and not exists (select from messages where conversation_id = conversations.id)`
}

/** Deletes the custom emoji that the import made and no reaction has; returns them. */
export const deleteImportedEmoji = (
  tx: Tx,
  importId: number,
): Promise<{ id: number; path: string; is_animated: boolean }[]> =>
  tx<{ id: number; path: string; is_animated: boolean }[]>`
    delete from custom_emoji using import_objects
    where import_id = ${importId} and kind = 'emoji' and is_new and object_id = custom_emoji.id
      and not exists (select from reactions where reaction_type = 'realm_emoji' and emoji_code = custom_emoji.id::text)
    returning custom_emoji.id, path, is_animated`

/** The accounts that the import made. */
export async function importedAccounts(sql: ISql, importId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select object_id as id from import_objects join users on users.id = object_id
    where import_id = ${importId} and kind = 'person' and is_new order by users.id`
  return rows.map(row => row.id)
}

/**
 * Deletes an account of which nothing else is stored than what the import made. The database refuses (23503) if anything else names it, and a
 * person who has signed in stays.
 */
export async function deleteUnusedAccount(tx: Tx, userId: number): Promise<boolean> {
  await tx`delete from read_state where user_id = ${userId}`
  const gone = await tx`
    delete from users where id = ${userId} and password_hash is null
      and not exists (select from sessions where user_id = ${userId})
      and not exists (select from messages where sender_id = ${userId})
      and not exists (select from conversations where user_ids @> array[${userId}::int])`
  return gone.count > 0
}

/** What an undone import has taken away, and what stays because it is used. */
export interface Undone {
  readonly messages: number
  readonly accounts: number
  readonly accounts_that_stay: number
  readonly channels: number
  /** Names of channels that have other messages, or that something names. */
  readonly channels_that_stay: string[]
}

/** Deletes the import itself: its archive can be imported again. A request that an administrator made says what was undone. */
export async function deleteImport(tx: Tx, importId: number, undone: Undone): Promise<void> {
  await tx`
    with gone as (delete from imports where id = ${importId} returning digest)
    update import_requests set undone = ${asJson(tx, undone)} from gone
    where import_requests.digest = gone.digest and import_requests.state = 'undoing'`
}
