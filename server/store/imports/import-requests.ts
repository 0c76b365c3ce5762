import { asJson } from '../driver/as-json.js'
import type { ISql, Tx } from '../driver/db.js'
import type { Undone } from './undo-import.js'

export type ImportRequestState = 'checking' | 'ready' | 'running' | 'finished' | 'failed' | 'undoing' | 'undone'

/** What people chose before an import. */
export interface StoredChoices {
  /** Ids of accounts here, by keys of people. */
  readonly people: Readonly<Record<string, number>>
  /** Names, by keys of channels. */
  readonly channels: Readonly<Record<string, string>>
  /** Keys of channels that are not imported. */
  readonly leftOut: readonly string[]
  readonly outOfOrder: boolean
}

export interface ImportRequestRow {
  readonly id: number
  readonly requester_id: number
  readonly requested: Date
  readonly name: string
  readonly size: number
  readonly key: string | null
  readonly state: ImportRequestState
  readonly reason: string | null
  readonly digest: string | null
  readonly choices: StoredChoices | null
  readonly ended: Date | null
  /** Of the plan. */
  readonly source: string | null
  /** Records of the archive. */
  readonly records: number | null
  /** How many of them the import has read; null: nothing is imported. */
  readonly done: number | null
  readonly undone: Undone | null
}

const columns = (sql: ISql) => sql`
  import_requests.id, requester_id, requested, name, size, key, import_requests.state, reason, import_requests.digest, choices, ended, undone,
  plan->'checked'->>'source' as source, (plan->'checked'->'messages'->>'source')::int as records, done`

const joined = (sql: ISql) => sql`import_requests left join imports on imports.digest = import_requests.digest`

/** All of them, the oldest first. */
export const readImportRequests = (sql: ISql): Promise<ImportRequestRow[]> =>
  sql<ImportRequestRow[]>`select ${columns(sql)} from ${joined(sql)} order by import_requests.id`

export async function importRequest(sql: ISql, id: number): Promise<ImportRequestRow | undefined> {
  const [row] = await sql<ImportRequestRow[]>`
    select ${columns(sql)} from ${joined(sql)} where import_requests.id = ${id}::bigint`
  return row
}

/** With the plan of its check, and with the report of its import. */
export type DetailedRequest = ImportRequestRow & {
  readonly plan: unknown
  readonly written: Readonly<Record<string, number>> | null
  readonly faults: unknown
}

export async function detailedRequest(sql: ISql, id: number): Promise<DetailedRequest | undefined> {
  const [row] = await sql<DetailedRequest[]>`
    select ${columns(sql)}, plan, written, faults from ${joined(sql)} where import_requests.id = ${id}::bigint`
  return row
}

/** Locks the request. */
export async function lockImportRequest(tx: Tx, id: number): Promise<ImportRequestRow | undefined> {
  await tx`select from import_requests where id = ${id}::bigint for update`
  return importRequest(tx, id)
}

/** Other requests of imports wait until the transaction ends. Returns how many archives are kept. */
export async function lockImportRequests(tx: Tx): Promise<number> {
  await tx`lock table import_requests in share row exclusive mode`
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from import_requests where key is not null`
  return row.count
}

/** Returns the id. */
export async function insertImportRequest(
  tx: Tx,
  row: Pick<ImportRequestRow, 'requester_id' | 'requested' | 'name' | 'size' | 'key'>,
): Promise<number> {
  const [inserted] = await tx<{ id: number }[]>`insert into import_requests ${tx(row)} returning id`
  if (!inserted) throw new Error('no id of a request came back')
  return inserted.id
}

/** The check has ended. */
export async function storePlan(tx: Tx, id: number, plan: { readonly digest: string }): Promise<void> {
  await tx`
    update import_requests set state = 'ready', plan = ${asJson(tx, plan)}, digest = ${plan.digest} where id = ${id}`
}

export async function startImportRequest(tx: Tx, id: number, choices: StoredChoices): Promise<void> {
  await tx`
    update import_requests set state = 'running', choices = ${asJson(tx, choices)}, reason = null, ended = null
    where id = ${id}`
}

export async function undoImportRequest(tx: Tx, id: number): Promise<void> {
  await tx`update import_requests set state = 'undoing', reason = null, ended = null, undone = null where id = ${id}`
}

/** The import is taken away, and the archive is not kept. Returns the key of the archive, if it was. */
export async function endUndoing(tx: Tx, id: number, at: Date): Promise<string | null> {
  const [row] = await tx<{ key: string | null }[]>`
    update import_requests set state = 'undone', ended = ${at}, key = null, choices = null
    from (select id, key from import_requests where id = ${id} for update) before
    where import_requests.id = before.id returning before.key`
  return row?.key ?? null
}

/** The import has finished: the archive, and what people chose from, are not kept. Returns the key of the archive. */
export async function finishImportRequest(tx: Tx, id: number, at: Date): Promise<string | null> {
  const [row] = await tx<{ key: string | null }[]>`
    update import_requests set state = 'finished', ended = ${at}, key = null, choices = null,
      plan = jsonb_set(plan, '{choosable}', '{"people": [], "channels": []}')
    from (select id, key from import_requests where id = ${id} for update) before
    where import_requests.id = before.id returning before.key`
  return row?.key ?? null
}

export async function failImportRequest(tx: Tx, id: number, reason: string, at: Date): Promise<void> {
  await tx`
    update import_requests set state = 'failed', reason = ${reason}, ended = ${at}
    where id = ${id} and state in ('checking', 'running', 'undoing')`
}

/** Returns the key of its archive. */
export async function deleteImportRequest(tx: Tx, id: number): Promise<string | null> {
  const [row] = await tx<{ key: string | null }[]>`delete from import_requests where id = ${id} returning key`
  return row?.key ?? null
}

/** Those that wait for a choice, or have failed, since before this time: their archives take room. */
export async function forgottenRequests(sql: ISql, before: Date): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from import_requests
    where state in ('ready', 'failed') and coalesce(ended, requested) < ${before} order by id`
  return rows.map(row => row.id)
}

/** Those on which no worker works, although they have not ended. */
export async function abandonedRequests(sql: ISql, kind: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from import_requests where state in ('checking', 'running', 'undoing') and not exists (
      select from jobs where jobs.kind = ${kind} and jobs.state <> 'dead' and (payload->>'id')::int = import_requests.id
    ) order by id`
  return rows.map(row => row.id)
}
