import type postgres from 'postgres'
import type { ISql, Sql, Tx } from '../driver/db.js'

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

/** The events that a statement has stored. */
export interface StoredEvents {
  readonly rows: readonly { readonly id: number; readonly xid: string }[]
  /**
   * Rows above `above` of earlier committed transactions, including those for whose locks this transaction waited. Null: the new rows follow
   * `above`, so there are none: what was committed before this statement had its locks has lower ids.
   */
  readonly earlier: {
    /** Ascending. */
    readonly ids: readonly number[]
    /** False: the outbox holds further rows, with higher ids. */
    readonly isAll: boolean
    /** All transactions below this id had ended when the rows were read, which is after the statement had its locks. */
    readonly ended: number
    /** Id of this transaction. */
    readonly xid: number
  } | null
}

/** An encoded event to store. */
export type NewOutboxRow = Pick<OutboxedRow, 'entry' | 'messageId'>

/** Parts of a `with` statement, without the word. */
export type Parts = postgres.Fragment

export interface StoredRow {
  /** Of the new rows, ascending. */
  ids: number[]
  xid: string
  /** The result of `outbox_after`; null: it was not called. */
  seen: { readonly ended: number; readonly earlier: string | null } | null
}

export function storedEvents({ ids, xid, seen }: StoredRow): StoredEvents {
  const before = seen?.earlier?.split(',').map(Number) ?? []
  return {
    rows: ids.map(id => ({ id, xid })),
    earlier: seen && { ids: before, isAll: before.length < mostEarlier, ended: seen.ended, xid: Number(xid) },
  }
}

/**
 * The parts `announced` and `stored` of a statement: they insert the entries under a condition; `stored` then has one row, a `StoredRow`. Row ids
 * ascend in the order of the entries. `above`: the outbox rows up to this id are known.
 */
export function eventParts(sql: ISql, entries: readonly NewOutboxRow[], above: number, condition = sql``): Parts {
  const [only] = entries
  // For a list PostgreSQL needs half as much time again.
  const isOne = only !== undefined && entries.length === 1
  const given = isOne
    ? sql`select ${only.messageId ?? null}::bigint, ${only.entry}::bytea ${condition}`
    : sql`
      select message_id, entry
      from unnest(
        ${sql.array(
          entries.map(({ messageId }) => messageId ?? null),
          bigint,
        )}::bigint[], ${sql.array(
          entries.map(({ entry }) => entry),
          bytea,
        )}::bytea[]) with ordinality as given (message_id, entry, position)
      ${condition} order by position`
  const ids = isOne
    ? sql`select array[id] as ids, xid::text as xid from announced`
    : sql`select array_agg(id order by id) as ids, min(xid::text) as xid from announced having count(*) > 0`
  return sql`
    announced as (
      insert into outbox (message_id, entry) ${given} returning id, xid
    ), stored as materialized (
      select ids, xid, case when ids[1] > ${above}::bigint + 1 then to_json(outbox_after(ids, ${above}, ${mostEarlier})) end as seen
      from (${ids}) own
    )`
}

/** What a statement that stores its events with its change has done. */
interface Stored<Row> {
  /** The row of `done`; undefined: there was nothing to change. */
  readonly done: Row | undefined
  /** Null: the change has no event. */
  readonly events: StoredEvents | null
}

/**
 * Runs one statement that makes a change and stores its events. `parts` are parts of a `with` statement; two of them have fixed names:
 * - `checked` takes the locks and has a row if what the caller prepared the change with still holds.
 * - `done` has one row if something has changed, otherwise none. It refers to every part that may wait for a lock, because the outbox is read after
 *   `done`. Its columns have other names than those of `StoredRow`.
 * The events are stored only if `done` has a row. Undefined: `checked` has none, and nothing has happened.
 */
export async function storeWithEvents<Row extends object>(
  sql: ISql,
  parts: Parts,
  entries: readonly NewOutboxRow[],
  above: number,
): Promise<Stored<Row> | undefined> {
  // I1: the change and its events are one statement. The count makes PostgreSQL finish `done`, with its locks, before it reads the outbox.
  const rows = await sql<(Row & Partial<StoredRow> & { is_checked: boolean; is_done: boolean })[]>`
    with ${parts}, ${eventParts(sql, entries, above, sql`where (select count(*) from done) > 0`)}
    select stored.*, is_checked, coalesce(is_done, false) as is_done, done.*
    from (select count(*) > 0 as is_checked from checked) checked left join stored on true
      left join (select true as is_done, done.* from done) done on true`
  const [row] = rows
  if (!row?.is_checked) return undefined
  const { ids, xid, seen, is_checked: _, is_done, ...done } = row
  // The casts: the compiler does not see that the columns of `stored` are there together, and that the others are those of `done`.
  const events = ids ? storedEvents({ ids, xid, seen } as StoredRow) : null
  return { done: is_done ? (done as unknown as Row) : undefined, events }
}

/** Runs the statement of `storeWithEvents` without events, in a transaction that holds its locks. Undefined: `done` has no row. */
export async function runParts<Row extends object>(tx: Tx, parts: Parts): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`with ${parts} select * from done`
  return row
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
