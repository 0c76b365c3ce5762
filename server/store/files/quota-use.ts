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

/** What an account may use. */
export interface AccountQuota extends QuotaUse {
  /** MiB; 0: no limit. */
  readonly quota_mib: number
}

/** The accounts whose files take at least this share of their quota, in percent; `usualMib` is that of accounts without one of their own. */
export const accountsAbove = (sql: ISql, usualMib: number, percent: number): Promise<AccountQuota[]> =>
  sql<AccountQuota[]>`
    select u.id as user_id, sum(files.size)::float8 as bytes, coalesce(u.upload_quota_mib, ${usualMib}) as quota_mib
    from users u join (select user_id, size from attachments union all select user_id, size from archived_files) files
      on files.user_id = u.id
    where coalesce(u.upload_quota_mib, ${usualMib}) > 0
    group by u.id having sum(files.size) * 100 >= coalesce(u.upload_quota_mib, ${usualMib})::bigint * ${percent * 1024 * 1024}::bigint
    order by u.id`

interface AccountSpace {
  /** Of its files, archived ones included. */
  readonly bytes: number
  /** MiB; 0: no limit; null: as the server's setting says. */
  readonly quota_mib: number | null
}

export async function readAccountSpace(sql: ISql, userId: number): Promise<AccountSpace> {
  const [row] = await sql<[AccountSpace]>`
    select upload_quota_mib as quota_mib, (
      (select coalesce(sum(size), 0) from attachments where user_id = users.id)
      + (select coalesce(sum(size), 0) from archived_files where user_id = users.id)
    )::float8 as bytes
    from users where id = ${userId}`
  return row
}

/** Returns the former one. */
export async function storeAccountQuota(tx: Tx, userId: number, quotaMib: number | null): Promise<number | null> {
  const [row] = await tx<[{ former: number | null }]>`
    with before as (select upload_quota_mib as former from users where id = ${userId} for no key update)
    update users set upload_quota_mib = ${quotaMib} from before where id = ${userId} returning former`
  return row.former
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
