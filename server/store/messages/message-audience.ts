import type { ISql, Tx } from '../driver/db.js'
import { flagBit } from './message-flags.js'

/**
 * Locks the channels, in ascending order to avoid deadlocks: until the transaction ends no other one changes them or their
 * subscriptions. `update`: for transactions that will write to the rows.
 */
export async function holdChannels(tx: Tx, channelIds: readonly number[], lock: 'share' | 'update'): Promise<void> {
  const ids = [...new Set(channelIds)]
  if (lock === 'share') await tx`select from channels where id = any(${ids}::int[]) order by id for share`
  else await tx`select from channels where id = any(${ids}::int[]) order by id for no key update`
}

// Flags that a user can have on a message without having received it.
const own = flagBit.starred | flagBit.collapsed | flagBit.historical

export interface Receiver {
  user_id: number
  is_active: boolean
}

/**
 * `active`: the channel's subscribers. `former`: other users who were subscribed when one of the messages was sent, or who have
 * their own flags on one. Both ascending.
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

/** For each user who received any of the messages, the ids of those messages. */
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
