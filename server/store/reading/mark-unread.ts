import type { ISql } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'
import type { Parts } from '../organization/outbox.js'
import { heldPlaces, type Places } from './held-places.js'
import { givenBlocks, readBlocks } from './read-blocks.js'

/**
 * Parts of `storeWithEvents` that mark messages as unread, if they are where the caller saw them.
 * @param own those that count as read from the start, for their sender or for all
 */
export function unreadParts(sql: ISql, userId: number, places: Places, own: readonly number[]): Parts {
  const blocks = readBlocks(places.messages.map(({ id }) => id))
  return sql`
    ${heldPlaces(sql, userId, places)},
    flagged as (
      insert into message_flags (user_id, message_id, flags)
      select ${userId}, id, ${flagBit.ownUnread}::int from unnest(${own as number[]}::bigint[]) as own (id), checked order by id
      on conflict (user_id, message_id) do update set flags = message_flags.flags | excluded.flags
      returning message_id
    ), held as materialized (
      select r.block, given.ranges from read_state r join (${givenBlocks(sql, blocks)}) given using (block), checked
      where r.user_id = ${userId} and (select count(*) from flagged) = ${own.length}
      order by r.block for update of r
    ), cleared as (
      update read_state r set ranges = r.ranges - held.ranges from held
      where r.user_id = ${userId} and r.block = held.block
      returning r.block
    ), done as (
      select (select count(*) from cleared) as blocks from checked
    )`
}
