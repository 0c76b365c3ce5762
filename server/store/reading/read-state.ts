import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { ISql, Tx } from '../driver/db.js'
import { messageIds } from '../pages/message-pages.js'

// A message is committed shortly after it gets its id. So below the newest message that is older than this, no insert is still
// running, and a range of ids that covers more than the messages found there covers no unseen message.
const settledAfterSeconds = 120
const settled = `${settledAfterSeconds} seconds`

/**
 * After a move of messages to another channel: for users who receive them only there, they count as read, like all messages from
 * before a subscription. Writes one row per user, and none if the user's read state covers them already.
 */
export async function markGainedRead(
  tx: Tx,
  fromChannelId: number,
  toChannelId: number,
  ids: readonly number[],
): Promise<void> {
  await tx`
    insert into read_state (user_id, block, ranges)
    select user_id, block, gained from (
      select there.user_id, given.block, given.ranges * there.spans - coalesce(here.spans, '{}') as gained
      from (
        select (id >> 16)::int as block, range_agg(int8range(id, id + 1)) as ranges
        from unnest(${ids as number[]}::bigint[]) as given (id) group by id >> 16
      ) given
        join subscriptions there on there.channel_id = ${toChannelId}
        left join subscriptions here
          on here.channel_id = ${fromChannelId} and here.user_id = there.user_id and here.is_active
    ) each_user
    where not isempty(gained)
    order by user_id, block
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges
      where not read_state.ranges @> excluded.ranges`
}

/**
 * After a move of messages to another channel: marks them as read for users who received them and are not subscribed there. Writes
 * one row per user. @returns the users who had not read all of them
 */
export async function markFollowedRead(
  tx: Tx,
  fromChannelId: number,
  toChannelId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ user_id: number }[]>`
    insert into read_state (user_id, block, ranges)
    select here.user_id, given.block, given.ranges * here.spans
    from (
      select (id >> 16)::int as block, range_agg(int8range(id, id + 1)) as ranges
      from unnest(${ids as number[]}::bigint[]) as given (id) group by id >> 16
    ) given
      join subscriptions here on here.channel_id = ${fromChannelId} and here.is_active
      left join subscriptions there on there.channel_id = ${toChannelId} and there.user_id = here.user_id
    where there.is_active is not true and not isempty(given.ranges * here.spans)
    order by here.user_id, given.block
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges
      where not read_state.ranges @> excluded.ranges
    returning user_id`
  return [...new Set(rows.map(row => row.user_id))]
}

/** The newest message below which no insert is still running; 0: none. */
export async function newestSettled(sql: ISql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select id from messages where date_sent < now() - ${settled}::interval order by id desc limit 1`
  return row?.id ?? 0
}

/** The narrow's messages that the user has not read, at most `limit`, ascending. */
export function unreadIds(sql: ISql, narrow: Narrow, from: number, limit: number): Promise<number[]> {
  const conditions = [...narrow.conditions, { kind: 'unread', negated: false } as const]
  return messageIds(sql, { ...narrow, conditions }, [{ from, limit, newestFirst: false }])
}
