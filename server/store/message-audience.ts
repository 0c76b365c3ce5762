import type { ISql, Tx } from './db.js'
import { flagBit } from './message-flags.js'

/**
 * Keeps the channels from being subscribed to, left or changed until the transaction ends, in the one order that does not
 * let two transactions wait for each other. `update` for those that will write to the rows.
 */
export async function holdChannels(tx: Tx, channelIds: readonly number[], lock: 'share' | 'update'): Promise<void> {
  const ids = [...new Set(channelIds)]
  if (lock === 'share') await tx`select from channels where id = any(${ids}::int[]) order by id for share`
  else await tx`select from channels where id = any(${ids}::int[]) order by id for no key update`
}

// What a user has put on a message, received or not.
const own = flagBit.starred | flagBit.collapsed | flagBit.historical

export interface Receiver {
  user_id: number
  is_active: boolean
}

/**
 * Who is subscribed to the channel, and who else has to do with one of the messages: was when it was sent, or starred it
 * without having received it. Both ascending.
 */
export async function receiversOf(
  sql: ISql,
  channelId: number,
  messageIds: readonly number[],
): Promise<{ active: number[]; former: number[] }> {
  const [row] = await sql<{ active: number[] | null; former: number[] | null }[]>`
    select array_agg(user_id order by user_id) filter (where is_active) as active,
      array_agg(user_id order by user_id) filter (where not is_active) as former
    from (
      select user_id, is_active from subscriptions
      where channel_id = ${channelId} and (is_active
        or exists (select from unnest(${messageIds as number[]}::bigint[]) as given (id) where given.id <@ spans))
      union
      select f.user_id, false from message_flags f
        left join subscriptions s on s.user_id = f.user_id and s.channel_id = ${channelId}
      where f.message_id = any(${messageIds as number[]}::bigint[]) and f.flags & ${own}::int <> 0
        and s.is_active is not true
    ) holders`
  return { active: row?.active ?? [], former: row?.former ?? [] }
}

/** For each of those who received any of the messages, which ones. */
export async function receivedBy(
  sql: ISql,
  channelId: number,
  messageIds: readonly number[],
): Promise<(Receiver & { ids: number[] })[]> {
  return sql<(Receiver & { ids: number[] })[]>`
    select user_id, is_active, array_agg(given.id order by given.id) as ids
    from subscriptions join unnest(${messageIds as number[]}::bigint[]) as given (id) on given.id <@ spans
    where channel_id = ${channelId}
    group by user_id, is_active order by user_id`
}

/** The participants of a conversation, ascending. */
export async function participantsOfConversation(sql: ISql, conversationId: number): Promise<number[]> {
  const [row] = await sql<{ user_ids: number[] }[]>`select user_ids from conversations where id = ${conversationId}`
  return row?.user_ids ?? []
}
