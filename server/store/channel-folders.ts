import type { ISql } from './db.js'

export interface ChannelFolder {
  id: number
  name: string
  description: string
  rendered_description: string
  order: number
  /** UNIX seconds. */
  date_created: number
  creator_id: number | null
  is_archived: boolean
}

/** The folders in their order, including archived ones. `webPublicOnly`: only folders with a web-public channel. */
export async function readChannelFolders(sql: ISql, webPublicOnly: boolean): Promise<ChannelFolder[]> {
  return sql<ChannelFolder[]>`
    select id, name, description, rendered_description, position as "order",
      extract(epoch from date_created)::int as date_created, creator_id, is_archived
    from channel_folders
    where not ${webPublicOnly}
      or exists (select from channels where folder_id = channel_folders.id and is_web_public and not channels.is_archived)
    order by position, id`
}

/** Whether all these folders exist and are not archived, so that channels can be put into them. */
export async function channelFoldersExist(sql: ISql, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true
  const rows = await sql`select id from channel_folders where id = any(${[...ids]}) and not is_archived`
  return rows.length === ids.length
}
