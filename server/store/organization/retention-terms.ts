import type { ISql, Tx } from '../driver/db.js'

/** For how long the messages of a place are kept; channel 0: direct messages. */
export interface RetentionTerm {
  readonly channel_id: number
  /** -1: for ever. */
  readonly days: number
  /** A shorter time, which applies from `applies_at` on; both null: none. */
  readonly waiting_days: number | null
  readonly applies_at: Date | null
}

/** Keeps other transactions from changing terms until this one ends. */
export async function holdTerms(tx: Tx): Promise<void> {
  await tx`lock table retention_terms in exclusive mode`
}

/** All terms, or that of one place. */
export function readTerms(sql: ISql, place?: number): Promise<RetentionTerm[]> {
  return sql<RetentionTerm[]>`
    select channel_id, days, waiting_days, applies_at from retention_terms
    ${place === undefined ? sql`` : sql`where channel_id = ${place}`} order by channel_id`
}

export async function storeTerms(tx: Tx, terms: readonly RetentionTerm[]): Promise<void> {
  await tx`
    insert into retention_terms (channel_id, days, waiting_days, applies_at)
    select * from json_to_recordset(${JSON.stringify(terms)}::text::json)
      as given (channel_id int, days int, waiting_days int, applies_at timestamptz)
    on conflict (channel_id) do update
      set days = excluded.days, waiting_days = excluded.waiting_days, applies_at = excluded.applies_at`
}
