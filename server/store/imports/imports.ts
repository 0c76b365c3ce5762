import { lockKey } from '../driver/advisory-lock.js'
import { asJson } from '../driver/as-json.js'
import type { ISql, Sql, Tx } from '../driver/db.js'

export type ImportState = 'people' | 'messages' | 'channels' | 'finished'

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

export async function setState(sql: ISql, id: number, state: ImportState): Promise<void> {
  await sql`
    update imports set state = ${state}, finished = case when ${state} = 'finished' then now() end where id = ${id}`
}

/** Notes in the transaction of a batch how far the import has come. */
export async function noteProgress(
  tx: Tx,
  id: number,
  progress: Pick<ImportRow, 'done' | 'written' | 'faults'>,
): Promise<void> {
  await tx`
    update imports set done = ${progress.done}, written = ${tx.json(progress.written)}, faults = ${asJson(tx, progress.faults)}
    where id = ${id}`
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
