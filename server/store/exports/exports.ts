import type { ISql, Tx } from '../driver/db.js'

/** Kinds of exports of the organization. */
export type RealmExportKind = 'public' | 'full_with_consent' | 'full_without_consent'
export type ExportKind = RealmExportKind | 'person'
type ExportState = 'pending' | 'ready' | 'failed' | 'deleted'

export interface NewExport {
  readonly kind: ExportKind
  readonly requester_id: number
  /** Whose data an export of kind `person` contains; null: it is one of the organization. */
  readonly user_id: number | null
  readonly requested: Date
  readonly token: string
  /** People whose private data it contains; null: of all accounts. */
  readonly consenting: readonly number[] | null
  /** It contains messages with higher ids. */
  readonly since: number
}

export interface ExportRow extends NewExport {
  readonly id: number
  readonly state: ExportState
  /** When it became ready. */
  readonly finished: Date | null
  /** When it failed or was deleted. */
  readonly ended: Date | null
  /** The newest message that it contains; null: no worker has begun. */
  readonly cut: number | null
  readonly percent: number
}

/** An export of the organization. */
export type RealmExportRow = ExportRow & { readonly kind: RealmExportKind }

const columns = (sql: ISql) => sql`
  id, kind, requester_id, user_id, requested, state, finished, ended, token, consenting, since, cut, percent`

/** All exports of the organization, the oldest first. */
export const readExports = (sql: ISql): Promise<RealmExportRow[]> =>
  sql<RealmExportRow[]>`select ${columns(sql)} from exports where user_id is null order by id`

/** All exports of one person, the oldest first. */
export const readPersonExports = (sql: ISql, userId: number): Promise<ExportRow[]> =>
  sql<ExportRow[]>`select ${columns(sql)} from exports where user_id = ${userId} order by id`

export async function exportRow(sql: ISql, id: number): Promise<ExportRow | undefined> {
  const [row] = await sql<ExportRow[]>`select ${columns(sql)} from exports where id = ${id}::bigint`
  return row
}

/** The export that is ready under this address. */
export async function exportOfToken(sql: ISql, token: string): Promise<ExportRow | undefined> {
  const [row] = await sql<ExportRow[]>`select ${columns(sql)} from exports where token = ${token} and state = 'ready'`
  return row
}

/** The ids of exports that became ready before this time. */
export async function exportsFinishedBefore(sql: ISql, time: Date): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from exports where state = 'ready' and finished < ${time} order by id`
  return rows.map(row => row.id)
}

/** The ids of exports on which no worker works, although they are not ready. */
export async function abandonedExports(sql: ISql, kind: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from exports where state = 'pending' and not exists (
      select from jobs where jobs.kind = ${kind} and jobs.state <> 'dead' and (payload->>'id')::int = exports.id
    ) order by id`
  return rows.map(row => row.id)
}

/** Exports of the organization that were requested since this time, whatever became of them. */
export async function exportsSince(tx: Tx, time: Date): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from exports where user_id is null and requested > ${time}`
  return row.count
}

interface PersonExportCounts {
  /** Of all people. */
  readonly pending: number
  /** Those that the requester has requested of the person since some time, whatever became of them. */
  readonly requested: number
  /** The id of the pending one among them; null: none is. */
  readonly own: number | null
}

/** Exports of single people. */
export async function personExportCounts(
  tx: Tx,
  { user_id, requester_id, since }: { readonly user_id: number; readonly requester_id: number; readonly since: Date },
): Promise<PersonExportCounts> {
  const [row] = await tx<[PersonExportCounts]>`
    select (select count(*) from exports where state = 'pending' and user_id is not null)::int as pending,
      (select count(*) from exports where user_id = ${user_id} and requester_id = ${requester_id} and requested > ${since})::int as requested,
      (select max(id) from exports where user_id = ${user_id} and requester_id = ${requester_id} and state = 'pending') as own`
  return row
}

/** Returns the id. */
export async function insertExport(tx: Tx, row: NewExport): Promise<number> {
  const [inserted] = await tx<{ id: number }[]>`
    insert into exports (kind, requester_id, user_id, requested, token, consenting, since)
    values (${row.kind}, ${row.requester_id}, ${row.user_id}, ${row.requested}, ${row.token}, ${row.consenting as number[] | null}::int[], ${row.since})
    returning id`
  if (!inserted) throw new Error('no id of an export came back')
  return inserted.id
}

/** Notes the newest message of the export, unless an earlier attempt has; returns what is noted. */
export async function fixCut(sql: ISql, id: number, cut: number): Promise<number> {
  const [row] = await sql<{ cut: number }[]>`
    update exports set cut = coalesce(exports.cut, ${cut}::bigint) where id = ${id} returning cut`
  if (!row) throw new Error('the export has no row')
  return row.cut
}

/** The id of the first message after one; without any, that id. */
export async function firstMessage(sql: ISql, after: number): Promise<number> {
  const [row] = await sql<{ id: number | null }[]>`select min(id) as id from messages where id > ${after}`
  return row?.id ?? after
}

/** Ends an export, and returns whose it is. Undefined: its state is another one than `from`. */
export async function endExport(
  tx: Tx,
  id: number,
  { from, to, at }: { readonly from: ExportState; readonly to: 'ready' | 'failed' | 'deleted'; readonly at: Date },
): Promise<{ readonly user_id: number | null } | undefined> {
  const [ended] =
    to === 'ready'
      ? await tx<
          { user_id: number | null }[]
        >`update exports set state = ${to}, finished = ${at}, percent = 100 where id = ${id}::bigint and state = ${from} returning user_id`
      : await tx<
          { user_id: number | null }[]
        >`update exports set state = ${to}, ended = ${at} where id = ${id}::bigint and state = ${from} returning user_id`
  return ended
}

/** How much an export would contain at most. */
export async function exportSize(sql: ISql, since: number): Promise<{ messages: number; bytes: number }> {
  const [row] = await sql<{ messages: number; bytes: number }[]>`
    select (select count(*) from messages where id > ${since}) as messages, (select bytes from upload_space) as bytes`
  return row ?? { messages: 0, bytes: 0 }
}

/** Other requests of exports wait until the transaction ends. */
export async function lockExports(tx: Tx): Promise<void> {
  await tx`lock table exports in share row exclusive mode`
}
