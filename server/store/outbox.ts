import type { ISql, Sql } from './db.js'

/** An event of a committed write, as the engine publishes it. */
export interface OutboxedRow {
  readonly entry: Uint8Array
  readonly outboxId: number
  /** Transaction id, as text. */
  readonly xid: string
  readonly messageId?: number
}

// Type of an element: of arrays of bytes, dates and booleans postgres.js infers the element's type as that of the array.
const bytea = 17

// A worker asks for rows of the last few seconds, unless Redis was away: then this bounds what one transaction is given.
const mostEarlier = 20_000

export interface StoredEvents {
  readonly rows: readonly { readonly id: number; readonly xid: string }[]
  /** Rows above `above` of transactions that committed before: also of those whose locks this one waited for. */
  readonly earlier: {
    /** Ascending. */
    readonly ids: readonly number[]
    /** False: there are more, with higher ids. */
    readonly isAll: boolean
    /** The snapshot of the statement, as `pg_current_snapshot()::text`. */
    readonly snapshot: string
  }
}

/** Stores encoded events in the transaction that they tell of; ids rise in the order given. */
export async function insertOutbox(sql: ISql, entries: readonly Uint8Array[], above: number): Promise<StoredEvents> {
  const rows = await sql<{ id: number; xid: string; snapshot: string; earlier: string | null }[]>`
    with stored as (
      insert into outbox (entry)
      select entry from unnest(${sql.array(entries as Uint8Array[], bytea)}::bytea[]) with ordinality as given (entry, position) order by position
      returning id, xid::text as xid
    )
    select id, xid, pg_current_snapshot()::text as snapshot, (
      select string_agg(id::text, ',')
      from (select id from outbox where id > ${above}::bigint order by id limit ${mostEarlier}) earlier
    ) as earlier
    from stored order by id`
  const ids = rows[0]?.earlier?.split(',').map(Number) ?? []
  return { rows, earlier: { ids, isAll: ids.length < mostEarlier, snapshot: rows[0]?.snapshot ?? '' } }
}

/** Those of the rows that are still there, lowest id first. */
export async function readOutbox(sql: ISql, ids: readonly number[]): Promise<OutboxedRow[]> {
  const rows = await sql<{ id: number; xid: string; message_id: number | null; entry: Uint8Array }[]>`
    select id, xid::text as xid, message_id, entry from outbox where id = any(${ids as number[]}::bigint[]) order by id`
  return rows.map(({ id, xid, message_id, entry }) => ({
    entry,
    outboxId: id,
    xid,
    ...(message_id === null ? {} : { messageId: message_id }),
  }))
}

/** Where the engine finds the events that no worker has published yet. */
export function databaseOutbox(sql: Sql) {
  return {
    /** Ids of rows above `above` that are at least that old, lowest first. */
    async pending(olderThanMs: number, limit: number, above: number): Promise<number[]> {
      const rows = await sql<{ id: number }[]>`
        select id from outbox
        where id > ${above} and created <= clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})
        order by id limit ${limit}`
      return rows.map(row => row.id)
    },

    /** Those of the rows that are still there, lowest id first. */
    read: (ids: readonly number[]): Promise<OutboxedRow[]> => readOutbox(sql, ids),

    /** Their events are safe in the feed: the rows go. */
    async published(ids: readonly number[]): Promise<void> {
      await sql`delete from outbox where id = any(${ids as number[]}::bigint[])`
    },

    /** How many rows there are, and seconds since the oldest was stored. */
    async size(): Promise<{ rows: number; oldest: number }> {
      const [row] = await sql<{ rows: number; oldest: number }[]>`
        select count(*)::int as rows, coalesce(extract(epoch from clock_timestamp() - min(created)), 0)::float8 as oldest
        from outbox`
      return row ?? { rows: 0, oldest: 0 }
    },
  }
}
