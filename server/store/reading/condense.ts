import { narrowSources } from '../../narrow/sql/narrow-sources.js'
import { type Narrow, narrowHead } from '../../narrow/sql/narrow-sql.js'
import type { Tx } from '../driver/db.js'
import { q, run, unionAll } from '../driver/fragment.js'
import { idsPerBlock, isCrowded } from './read-blocks.js'
import { newestSettled } from './read-state.js'

/**
 * Reduces the ranges of a block. Ids of messages for other users lie between the ids that a user reads, so without this each read
 * message would have its own range. Ranges may cover ids that the user never received, so one range is enough between two unread
 * messages. Locks the row before it reads which messages are unread: otherwise a message that becomes unread meanwhile would be read again.
 */
export async function condense(
  tx: Tx,
  { userId, receivable }: Pick<Narrow, 'userId' | 'receivable'>,
  block: number,
): Promise<void> {
  const rows = await tx`
    select from read_state where user_id = ${userId} and block = ${block} and ${isCrowded(tx)} for update`
  // Another request has done it.
  if (rows.length === 0) return
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
