import { narrowSources } from '../../narrow/sql/narrow-sources.js'
import { type Narrow, narrowHead } from '../../narrow/sql/narrow-sql.js'
import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Tx } from '../driver/db.js'
import { q, run, unionAll } from '../driver/fragment.js'
import { messageIds } from '../pages/message-pages.js'

// Ids per row. Each read message rewrites the ranges of its whole block, so a block is small enough for the case that every second
// message stays unread, and large enough that there are few rows. The statements compute the block with `>> 16`.
export const idsPerBlock = 2 ** 16

// A message is committed shortly after it gets its id. So below the newest message that is older than this, no insert is still
// running, and a range of ids that covers more than the messages found there covers no unseen message.
const settledAfterSeconds = 120
const settled = `${settledAfterSeconds} seconds`

/** Locks a user's flags: changes run one after another, so that each transaction knows exactly what it changed. */
export async function holdFlags(tx: Tx, userId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lockKey(tx, 'flags', tx`${userId}::int`)})`
}

// I3: a new unread message writes nothing here; a row holds the read ranges of 65,536 ids.
/** Adds messages to the user's read state. */
export async function markRead(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  receivable: readonly number[],
): Promise<void> {
  const blocks = await tx<{ block: number; ranges: number; condensed: number }[]>`
    insert into read_state (user_id, block, ranges)
    select ${userId}, (id >> 16)::int, range_agg(int8range(id, id + 1))
    from unnest(${ids as number[]}::bigint[]) as given (id) group by id >> 16
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges
    returning block, (select count(*)::int from unnest(ranges)) as ranges, condensed`
  for (const { block, ranges, condensed } of blocks) {
    // Only when the ranges exceed twice the number left last time, because condensing reads the block's messages.
    if (ranges > 256 + 2 * condensed) await condense(tx, userId, block, receivable)
  }
}

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

/** Removes messages from the user's read state. */
export async function markUnread(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update read_state set ranges = read_state.ranges - given.ranges
    from (
      select (id >> 16)::int as block, range_agg(int8range(id, id + 1)) as ranges
      from unnest(${ids as number[]}::bigint[]) as given (id) group by id >> 16
    ) given
    where user_id = ${userId} and read_state.block = given.block`
}

/** Marks every id up to a message as read; blocks below the oldest message need no row. False: they were read already. */
export async function markReadUpTo(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { count } = await tx`
    insert into read_state (user_id, block, ranges)
    select ${userId}, block, int8multirange(int8range(block::bigint << 16, least((block + 1)::bigint << 16, ${id}::bigint + 1)))
    from generate_series((select coalesce(min(id), 0) >> 16 from messages)::int, (${id}::bigint >> 16)::int) as block
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges, condensed = 0
      where not read_state.ranges @> excluded.ranges`
  return count > 0
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

/**
 * Reduces the ranges of a block. Ids of messages for other users lie between the ids that a user reads, so without this each read
 * message would have its own range. Ranges may cover ids that the user never received, so one range is enough between two unread
 * messages.
 */
async function condense(tx: Tx, userId: number, block: number, receivable: readonly number[]): Promise<void> {
  const from = block * idsPerBlock
  const to = Math.min(from + idsPerBlock, (await newestSettled(tx)) + 1)
  if (to <= from) return
  const narrow: Narrow = {
    userId,
    receivable,
    scope: 'received',
    conditions: [{ kind: 'unread', negated: false }],
  }
  const unread = narrowSources(narrow, q`and m.id >= ${from}::bigint and m.id < ${to}::bigint`)
  await run(
    tx,
    q`${narrowHead(narrow)} update read_state
      set ranges = read_state.ranges + covered.ranges,
        condensed = (select count(*)::int from unnest(read_state.ranges + covered.ranges))
      from (
        select int8multirange(int8range(${from}::bigint, ${to}::bigint))
          - coalesce(range_agg(int8range(m.id, m.id + 1)), '{}'::int8multirange) as ranges
        from (${unionAll(unread)}) m
      ) covered
      where read_state.user_id = ${userId}::int and read_state.block = ${block}::int`,
  )
}
