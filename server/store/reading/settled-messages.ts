import type { ISql } from '../driver/db.js'

/** The newest id that a message got, also of a transaction that is still running; 0: none. */
export async function newestMessageId(sql: ISql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select case when is_called then last_value else 0 end as id from messages_id_seq`
  return row?.id ?? 0
}

/** Takes a new transaction id. */
export async function newTransactionId(sql: ISql): Promise<number> {
  const [row] = await sql<[{ xid: number }]>`select pg_current_xact_id()::text::bigint as xid`
  return row.xid
}

/** The oldest transaction that was open in the snapshot. */
export async function oldestTransactionId(sql: ISql): Promise<number> {
  const [row] = await sql<[{ xmin: number }]>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`
  return row.xmin
}
