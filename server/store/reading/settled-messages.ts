import type { ISql } from '../driver/db.js'

/**
 * The newest id that a message got, also of a transaction that is still running (0: none), and a transaction id that is taken after this id
 * was read.
 */
export async function newestMessageId(sql: ISql): Promise<{ id: number; xid: number }> {
  // The select around the other one gets its row before it takes a transaction id.
  const [row] = await sql<{ id: number; xid: number }[]>`
    with newest as materialized (select case when is_called then last_value else 0 end as id from messages_id_seq)
    select id, pg_current_xact_id()::text::bigint as xid from newest`
  if (!row) throw new Error('the sequence of message ids has no row')
  return row
}

/** The oldest transaction with an id that is still running; without one, the next id. */
export async function oldestTransaction(sql: ISql): Promise<number> {
  const [row] = await sql<{ xid: number }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`
  if (!row) throw new Error('PostgreSQL has no snapshot')
  return row.xid
}
