import { lockKey } from '../driver/advisory-lock.js'
import { asJson } from '../driver/as-json.js'
import type { ISql, Sql, Tx } from '../driver/db.js'

/** `undoing`: it is being taken away, and does not go on. */
export type ImportState = 'people' | 'messages' | 'channels' | 'finished' | 'undoing'

export interface ImportRow {
  readonly id: number
  readonly source: string
  readonly digest: string
  readonly state: ImportState
  readonly first_id: number
  readonly last_id: number
  /** Hosts that may be asked for its files. */
  readonly file_hosts: readonly string[]
  readonly done: number
  readonly checked: unknown
  readonly written: Readonly<Record<string, number>>
  readonly faults: unknown
  readonly started: Date
  readonly finished: Date | null
}

/** All imports, the newest first. */
export const readImports = (sql: ISql): Promise<ImportRow[]> => sql<ImportRow[]>`select * from imports order by id desc`

export async function importById(sql: ISql, id: number): Promise<ImportRow | undefined> {
  const [row] = await sql<ImportRow[]>`select * from imports where id = ${id}`
  return row
}

export async function importOf(sql: ISql, digest: string): Promise<ImportRow | undefined> {
  const [row] = await sql<ImportRow[]>`select * from imports where digest = ${digest}`
  return row
}

/** The ids between which messages of an earlier time can be stored, both excluded. */
export async function freeIds(tx: Tx): Promise<{ after: number; before: number }> {
  const [row] = await tx<{ after: number; before: number }[]>`
    with imported as (select coalesce(max(last_id), 0) as id from imports)
    select imported.id as after, least(
      (select min(messages.id) from messages where messages.id > imported.id),
      case when is_called then last_value + 1 else last_value end
    ) as before
    from imported, messages_id_seq`
  if (!row) throw new Error('the sequence of messages has no row')
  return row
}

export async function insertImport(
  tx: Tx,
  row: Pick<ImportRow, 'source' | 'digest' | 'first_id' | 'last_id' | 'file_hosts' | 'checked'>,
): Promise<number> {
  const [made] = await tx<{ id: number }[]>`
    insert into imports (source, digest, state, first_id, last_id, file_hosts, checked)
    values (${row.source}, ${row.digest}, 'people', ${row.first_id}, ${row.last_id}, ${row.file_hosts as string[]}::text[],
      ${asJson(tx, row.checked)})
    returning id`
  if (!made) throw new Error('no import came back')
  return made.id
}

/** How far an import has come. */
type Place = Pick<ImportRow, 'id' | 'state' | 'done'>

/** The next step begins. @throws the import is not where this process left it */
export async function setState(sql: ISql, { id, state: before, done }: Place, state: ImportState): Promise<void> {
  const { count } = await sql`
    update imports set state = ${state}, finished = case when ${state} = 'finished' then now() end
    where id = ${id} and state = ${before} and done = ${done}`
  requireOne(count)
}

/** From now on the import does not go on, and no worker downloads its files. */
export async function setUndoing(sql: ISql, id: number): Promise<void> {
  await sql`
    with waiting as (update import_files set due = null where import_id = ${id} and due is not null)
    update imports set state = 'undoing' where id = ${id}`
}

/**
 * Notes in the transaction of a batch how far the import has come. The commit does not wait for the disk, so a crash of the database may have
 * taken back the batches before.
 * @throws the import is not where this process left it
 */
export async function noteProgress(
  tx: Tx,
  { id, state, done: before }: Place,
  progress: Pick<ImportRow, 'done' | 'written' | 'faults'>,
): Promise<void> {
  const { count } = await tx`
    update imports set done = ${progress.done}, written = ${tx.json(progress.written)}, faults = ${asJson(tx, progress.faults)}
    where id = ${id} and state = ${state} and done = ${before}`
  requireOne(count)
}

function requireOne(count: number): void {
  if (count !== 1) throw new Error('the import is not where this process left it: it has to be run again')
}

export async function noteFaults(sql: ISql, id: number, faults: unknown): Promise<void> {
  await sql`update imports set faults = ${asJson(sql, faults)} where id = ${id}`
}

/** Whether a user has sent a message in the last minutes. */
export async function isBusy(sql: ISql): Promise<boolean> {
  const [row] = await sql<{ busy: boolean }[]>`
    select coalesce((select date_sent > now() - interval '10 minutes' and client <> 'import' from messages order by id desc limit 1), false) as busy`
  return row?.busy ?? false
}

/** Runs the work while no other import runs on the organization; undefined: one does. */
export async function whileAlone<T>(sql: Sql, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
  const session = await sql.reserve()
  try {
    const [row] = await session<{ locked: boolean }[]>`
      select pg_try_advisory_lock(${lockKey(session, 'import')}) as locked`
    if (!row?.locked) return undefined
    try {
      return { value: await work() }
    } finally {
      await session`select pg_advisory_unlock(${lockKey(session, 'import')})`
    }
  } finally {
    session.release()
  }
}
