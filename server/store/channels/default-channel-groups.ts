import type { DefaultChannelGroup } from '../../../shared/resources/default-channel-group.js'
import type { ISql, Query, Tx } from '../driver/db.js'

/** The groups of default channels, ascending by id. */
export function readDefaultChannelGroups(sql: ISql): Query<DefaultChannelGroup> {
  return sql<
    DefaultChannelGroup[]
  >`select id, name, description, channel_ids as streams from default_channel_groups order by id`
}

export async function insertDefaultChannelGroup(
  tx: Tx,
  group: Omit<DefaultChannelGroup, 'id'>,
): Promise<DefaultChannelGroup> {
  const [row] = await tx<{ id: number }[]>`
    insert into default_channel_groups (name, description, channel_ids)
    values (${group.name}, ${group.description}, ${[...group.streams]}::int[])
    returning id`
  if (!row) throw new Error('no group of default channels came back')
  return { id: row.id, ...group }
}

export async function updateDefaultChannelGroup(tx: Tx, group: DefaultChannelGroup): Promise<void> {
  await tx`
    update default_channel_groups set name = ${group.name}, description = ${group.description},
      channel_ids = ${[...group.streams]}::int[]
    where id = ${group.id}`
}

export async function deleteDefaultChannelGroup(tx: Tx, id: number): Promise<void> {
  await tx`delete from default_channel_groups where id = ${id}`
}

/** Takes the channel out of all groups. False: it was in none. */
export async function leaveDefaultChannelGroups(tx: Tx, channelId: number): Promise<boolean> {
  const rows = await tx`
    update default_channel_groups set channel_ids = array_remove(channel_ids, ${channelId}::int)
    where ${channelId} = any(channel_ids) returning 1`
  return rows.length > 0
}
