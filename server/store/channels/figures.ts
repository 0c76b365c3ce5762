import type { ISql } from '../driver/db.js'

/** Numbers of active subscribers and of messages of a channel. */
export interface ChannelFigures {
  readonly subscribers: number
  readonly messages: number
}

/** The figures of all channels, by channel id. */
export async function channelFigures(sql: ISql): Promise<Map<number, ChannelFigures>> {
  const rows = await sql<({ id: number } & ChannelFigures)[]>`
    select id, coalesce(subscribed.count, 0)::int as subscribers, coalesce(sent.count, 0)::int as messages
    from channels
      left join (
        select channel_id, count(*) from subscriptions join users on users.id = user_id
        where subscriptions.is_active and users.is_active group by channel_id
      ) subscribed on subscribed.channel_id = id
      left join (select channel_id, count(*) from messages where channel_id is not null group by channel_id) sent
        on sent.channel_id = id`
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

/** For each bot with stored data: the number of keys, and the characters of the keys and their values. */
export async function botStorageFigures(sql: ISql): Promise<Map<number, { keys: number; characters: number }>> {
  const rows = await sql<{ bot_id: number; keys: number; characters: number }[]>`
    select bot_id, count(*)::int as keys, coalesce(max(sizes.characters), 0)::int8 as characters
    from bot_storage join bot_storage_sizes sizes using (bot_id) group by bot_id`
  return new Map(rows.map(({ bot_id, keys, characters }) => [bot_id, { keys, characters }]))
}

/** A user's numbers of sent messages and subscribed channels, and whether the user has a password. */
export async function userFigures(
  sql: ISql,
  userId: number,
): Promise<{ messages: number; channels: number; has_password: boolean }> {
  const [row] = await sql<{ messages: number; channels: number; has_password: boolean }[]>`
    select (select count(*) from messages where sender_id = users.id)::int as messages,
      (select count(*) from subscriptions where user_id = users.id and is_active)::int as channels,
      password_hash is not null as has_password
    from users where id = ${userId}`
  return row ?? { messages: 0, channels: 0, has_password: false }
}
