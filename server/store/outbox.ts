import type { ISql, Sql } from './db.js'

export interface OutboxRow {
  id: number
  xid: string
  message_id: number | null
  entry: Uint8Array
}

/** Stores encoded events in the transaction that they tell of, in order. */
export async function insertOutbox(sql: ISql, entries: readonly Uint8Array[]): Promise<{ id: number; xid: string }[]> {
  return sql<{ id: number; xid: string }[]>`
    insert into outbox (entry)
    select entry from unnest(${entries as Uint8Array[]}::bytea[]) with ordinality as given (entry, position) order by position
    returning id, xid::text as xid`
}

/** Rows older than `olderThanMs` milliseconds, oldest first. */
export async function pendingOutbox(sql: Sql, olderThanMs: number, limit: number): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    select id, xid::text as xid, message_id, entry from outbox
    where created <= clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})
    order by id limit ${limit}`
}

export async function deleteOutbox(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids as number[]}::bigint[])`
}
