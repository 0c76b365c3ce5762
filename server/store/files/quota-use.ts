import type { ISql, Tx } from '../driver/db.js'

/** Bytes of the files of an account, archived ones included; user 0: of all accounts. */
export interface QuotaUse {
  readonly user_id: number
  readonly bytes: number
}

export async function spaceOfAll(sql: ISql): Promise<QuotaUse> {
  const [row] = await sql<[QuotaUse]>`select 0 as user_id, (bytes + archived_bytes)::float8 as bytes from upload_space`
  return row
}

/** The accounts whose files take at least so many bytes. */
export function accountsAbove(sql: ISql, bytes: number): Promise<QuotaUse[]> {
  return sql<QuotaUse[]>`
    select user_id, sum(size)::float8 as bytes
    from (select user_id, size from attachments union all select user_id, size from archived_files) files
    group by user_id having sum(size) >= ${bytes} order by user_id`
}

/** Of which share the people of each quota were warned last. */
export async function lastWarnings(tx: Tx): Promise<Map<number, number>> {
  await tx`lock table quota_warnings in exclusive mode`
  const rows = await tx<{ user_id: number; percent: number }[]>`select user_id, percent from quota_warnings`
  return new Map(rows.map(row => [row.user_id, row.percent]))
}

/** Makes these the last warnings. */
export async function storeWarnings(tx: Tx, warnings: ReadonlyMap<number, number>): Promise<void> {
  await tx`delete from quota_warnings where user_id <> all(${[...warnings.keys()]}::int[])`
  await tx`
    insert into quota_warnings (user_id, percent)
    select * from unnest(${[...warnings.keys()]}::int[], ${[...warnings.values()]}::int[])
    on conflict (user_id) do update set percent = excluded.percent where quota_warnings.percent <> excluded.percent`
}
