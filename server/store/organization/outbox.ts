import type { ISql, Sql } from '../driver/db.js'

/** An outbox row: an event of a committed transaction. */
export interface OutboxedRow {
  readonly entry: Uint8Array
  readonly outboxId: number
  /** PostgreSQL transaction id, as text. */
  readonly xid: string
  readonly messageId?: number
}

// The types of elements, stated because postgres.js infers wrong array types for bytes, dates, booleans and nulls.
const bytea = 17
const bigint = 20

// Rows that one transaction reads at most. Usually these are rows of the last few seconds; after an outage of Redis there can be more.
const mostEarlier = 20_000

interface StoredEvents {
  readonly rows: readonly { readonly id: number; readonly xid: string }[]
  /** Rows above `above` of earlier committed transactions, including those for whose locks this transaction waited. */
  readonly earlier: {
    /** Ascending. */
    readonly ids: readonly number[]
    /** False: the outbox holds further rows, with higher ids. */
    readonly isAll: boolean
    /** All transactions below this id had ended when the statement began. */
    readonly ended: number
    /** Id of this transaction. */
    readonly xid: number
  }
}

/** An encoded event to store. */
export type NewOutboxRow = Pick<OutboxedRow, 'entry' | 'messageId'>

/** Inserts encoded events in their transaction; row ids ascend in the order of `entries`. */
export async function insertOutbox(sql: ISql, entries: readonly NewOutboxRow[], above: number): Promise<StoredEvents> {
  const bytes = entries.map(({ entry }) => entry)
  const messageIds = entries.map(({ messageId }) => messageId ?? null)
  const rows = await sql<{ id: number; xid: string; ended: number; earlier: string | null }[]>`
    with stored as (
      insert into outbox (message_id, entry)
      select message_id, entry
      from unnest(${sql.array(messageIds, bigint)}::bigint[], ${sql.array(bytes, bytea)}::bytea[])
        with ordinality as given (message_id, entry, position)
      order by position
      returning id, xid::text as xid
    )
    select id, xid, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended, (
      select string_agg(id::text, ',')
      from (select id from outbox where id > ${above}::bigint order by id limit ${mostEarlier}) earlier
    ) as earlier
    from stored order by id`
  const [{ xid, ended, earlier } = { xid: '0', ended: 0, earlier: null }] = rows
  const ids = earlier?.split(',').map(Number) ?? []
  return { rows, earlier: { ids, isAll: ids.length < mostEarlier, ended, xid: Number(xid) } }
}

/** The rows among `ids` that still exist, lowest id first. */
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

/** The implementation of the engine's `Outbox` on PostgreSQL. */
export function databaseOutbox(sql: Sql) {
  return {
    /** Ids of rows with ids above `above` and an age of at least `olderThanMs`, lowest first. */
    async pending(olderThanMs: number, limit: number, above: number): Promise<number[]> {
      const rows = await sql<{ id: number }[]>`
        select id from outbox
        where id > ${above} and created <= clock_timestamp() - make_interval(secs => ${olderThanMs / 1000})
        order by id limit ${limit}`
      return rows.map(row => row.id)
    },

    /** The rows among `ids` that still exist, lowest id first. */
    read: (ids: readonly number[]): Promise<OutboxedRow[]> => readOutbox(sql, ids),

    /** Deletes rows whose events the feed holds safely. */
    async published(ids: readonly number[]): Promise<void> {
      await sql`delete from outbox where id = any(${ids as number[]}::bigint[])`
    },

    /** Number of rows, and age of the oldest row in seconds. */
    async size(): Promise<{ rows: number; oldest: number }> {
      const [row] = await sql<{ rows: number; oldest: number }[]>`
        select count(*)::int as rows, coalesce(extract(epoch from clock_timestamp() - min(created)), 0)::float8 as oldest
        from outbox`
      return row ?? { rows: 0, oldest: 0 }
    },
  }
}
