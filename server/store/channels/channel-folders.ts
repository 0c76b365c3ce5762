import type { ChannelFolder } from '../../../shared/resources/channel-folder.js'
import type { ISql, Query, Tx } from '../driver/db.js'

/** The folders in their order, including archived ones. */
export function readChannelFolders(sql: ISql): Query<ChannelFolder> {
  return sql<ChannelFolder[]>`select ${columns(sql)} from channel_folders order by position, id`
}

/** The folders with a web-public channel in their order. */
export function readWebPublicFolders(sql: ISql): Query<ChannelFolder> {
  return sql<ChannelFolder[]>`
    select ${columns(sql)} from channel_folders
    where exists (select from channels where folder_id = channel_folders.id and is_web_public and not channels.is_archived)
    order by position, id`
}

/** Whether all these folders exist and are not archived, so that channels can be put into them. */
export async function channelFoldersExist(sql: ISql, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true
  const rows = await sql`select id from channel_folders where id = any(${[...ids]}) and not is_archived`
  return rows.length === ids.length
}

/** Whether a channel, archived ones included, is in the folder. */
export async function folderHasChannels(sql: ISql, id: number): Promise<boolean> {
  const rows = await sql`select from channels where folder_id = ${id} limit 1`
  return rows.length > 0
}

type FolderText = Pick<ChannelFolder, 'name' | 'description' | 'rendered_description'>

/** Adds a folder after the existing ones. */
export async function insertChannelFolder(
  tx: Tx,
  folder: FolderText,
  creatorId: number | null,
): Promise<ChannelFolder> {
  const { name, description, rendered_description } = folder
  const [row] = await tx<ChannelFolder[]>`
    insert into channel_folders (name, description, rendered_description, creator_id, position)
    select ${name}, ${description}, ${rendered_description}, ${creatorId}, coalesce(max(position), -1) + 1
    from channel_folders
    returning ${columns(tx)}`
  if (!row) throw new Error('no channel folder came back')
  return row
}

export async function updateChannelFolder(
  tx: Tx,
  id: number,
  { name, description, rendered_description, is_archived }: FolderText & Pick<ChannelFolder, 'is_archived'>,
): Promise<void> {
  await tx`
    update channel_folders set name = ${name}, description = ${description},
      rendered_description = ${rendered_description}, is_archived = ${is_archived}
    where id = ${id}`
}

/** Stores the order, with positions from 0; `ids` contains every folder. */
export async function orderChannelFolders(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`
    update channel_folders set position = wanted.position - 1
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, position) where channel_folders.id = wanted.id`
}

const columns = (sql: ISql) => sql`
  id, name, description, rendered_description, position as "order",
  extract(epoch from date_created)::int as date_created, creator_id, is_archived`
