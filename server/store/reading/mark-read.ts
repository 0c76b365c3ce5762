import type { ISql, Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'
import type { Parts } from '../organization/outbox.js'
import { blockOf, givenBlocks, isCrowded, readBlocks } from './read-blocks.js'

/** What the statement that marked messages as read returns. */
export interface Marked {
  /** Blocks of the read state that have to be condensed; null: none. */
  readonly crowded: number[] | null
}

/** A select of those of the messages that the user received and has not read. */
function unreadOf(sql: ISql, userId: number, ids: readonly number[]): Parts {
  const blocks = readBlocks(ids).map(({ block }) => block)
  return sql`
    select m.id from messages m
      left join subscriptions s on s.user_id = ${userId} and s.channel_id = m.channel_id and s.is_active
      left join conversations c on c.id = m.conversation_id and c.user_ids @> array[${userId}::int]
    where m.id = any(${ids as number[]}::bigint[]) and (c.id is not null or m.id <@ s.spans)
      and not m.id <@ coalesce((
        select range_agg(ranges) from read_state where user_id = ${userId} and block = any(${blocks}::int[])
      ), '{}')
      and (not (m.read_by_all or m.sender_id = ${userId} and m.read_by_sender) or exists (
        select from message_flags f
        where f.user_id = ${userId} and f.message_id = m.id and f.flags & ${flagBit.ownUnread}::int <> 0
      ))`
}

/** Those of the messages that the user received and has not read; ascending. `ids`: ascending, without duplicates. */
export async function unreadAmong(sql: ISql, userId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`${unreadOf(sql, userId, ids)} order by m.id`
  return rows.map(row => row.id)
}

// I3: a new unread message writes nothing here; a row holds the read ranges of 65,536 ids.
/**
 * An upsert of read ids; `onlyIf` begins with `where`. Without it the result does not depend on the order of concurrent ones, so they need no
 * lock but that of the row.
 */
const addRead = (sql: ISql, userId: number, blocks: Parts, onlyIf: Parts = sql``): Parts => sql`
  insert into read_state (user_id, block, ranges) select ${userId}::int, given.block, given.ranges from (${blocks}) given
  on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges ${onlyIf}
  returning block, ${isCrowded(sql)} as is_crowded`

/** Whether one row of the read state holds the messages, so that `readParts` can ask. `ids`: ascending. */
export const isOneBlock = (ids: readonly number[]): boolean => blockOf(ids[0] ?? 0) === blockOf(ids.at(-1) ?? 0)

/**
 * Parts of `storeWithEvents` that mark messages as read. `asks`: only if the user received all of them and has read none; without it, the
 * caller has just read that. If two statements mark a message in the same moment, both have done it.
 * @param ids ascending, without duplicates; of one block with `asks`
 */
export function readParts(sql: ISql, userId: number, ids: readonly number[], asks: boolean): Parts {
  const blocks = givenBlocks(sql, readBlocks(ids))
  // A message that counted as read from the start is not taken: whether the user marked it as unread is in another table.
  const areReceived = sql`
    where ${ids.length} = (
      select count(*) from messages m
        left join subscriptions s on s.user_id = ${userId} and s.channel_id = m.channel_id and s.is_active
        left join conversations c on c.id = m.conversation_id and c.user_ids @> array[${userId}::int]
      where m.id = any(${ids as number[]}::bigint[]) and (c.id is not null or m.id <@ s.spans)
        and not (m.read_by_all or m.sender_id = ${userId} and m.read_by_sender)
    )`
  const marked = asks
    ? addRead(sql, userId, sql`${blocks} ${areReceived}`, sql`where not read_state.ranges && excluded.ranges`)
    : addRead(sql, userId, blocks)
  return sql`
    marked as (${marked}),
    checked as (select from marked),
    done as (select array_agg(block) filter (where is_crowded) as crowded from marked having count(*) > 0)`
}

/** Adds messages to the user's read state, in a transaction with other changes. `ids`: ascending, without duplicates. */
export async function markRead(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await tx`${addRead(tx, userId, givenBlocks(tx, readBlocks(ids)))}`
}

/**
 * Parts of `storeWithEvents` that mark every id up to `settled` as read, and further messages; blocks below the oldest message need no
 * row. There is nothing to do if they were read already.
 * @param settled 0: none
 */
export function readAllParts(sql: ISql, userId: number, settled: number, newer: readonly number[]): Parts {
  return sql`
    checked as materialized (select 1),
    given as (
      select block, range_agg(ranges) as ranges from (
        select block, int8multirange(int8range(block::bigint << 16, least((block + 1)::bigint << 16, ${settled}::bigint + 1))) as ranges
        from generate_series((select coalesce(min(id), 0) >> 16 from messages)::int, (${settled}::bigint >> 16)::int) as block
        where ${settled}::bigint > 0
        union all ${givenBlocks(sql, readBlocks(newer))}
      ) parts group by block
    ), marked as (
      insert into read_state (user_id, block, ranges) select ${userId}, block, ranges from given order by block
      on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges, condensed = 0
        where not read_state.ranges @> excluded.ranges
      returning block
    ), done as (select true as is_changed from marked having count(*) > 0)`
}
