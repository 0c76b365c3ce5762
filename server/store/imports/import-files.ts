import type { ISql, Sql, Tx } from '../driver/db.js'

/** A file that is stored after the message, or the account, to which it belongs. */
export interface NewImportFile {
  readonly message_id: number | null
  /** The copy of the message in the main topic. */
  readonly copy_id: number | null
  /** The key of the person whose picture it is; null: it belongs to a message. */
  readonly person: string | null
  readonly name: string
  /** Of its link in the text; '': its name. */
  readonly label: string
  readonly bytes: number
  /** Its name in the archive; null: it is downloaded. */
  readonly entry: string | null
  readonly address: string | null
  readonly host: string
  /** Of its messages; '' for the picture of an account. */
  readonly line: string
}

export interface ImportFile extends NewImportFile {
  readonly id: number
  readonly import_id: number
  readonly file_hosts: readonly string[]
  readonly attempts: number
}

// Minutes for which a process that has claimed files keeps them, in case that it dies.
const claimMinutes = 30
// Days after the end of an import: a host that is busy for so long is not asked again.
const mostDays = 3

const columns = (sql: ISql) => sql`
  import_files.id, import_id, message_id::float8 as message_id, copy_id::float8 as copy_id, person, name, label, bytes::float8 as bytes, entry, address, host, line, attempts,
  (select file_hosts from imports where imports.id = import_id) as file_hosts`

export async function insertImportFiles(tx: Tx, importId: number, files: readonly NewImportFile[]): Promise<void> {
  const column = <Value>(value: (file: NewImportFile) => Value): Value[] => files.map(value)
  await tx`
    insert into import_files (import_id, message_id, copy_id, person, name, label, bytes, entry, address, host, line)
    select ${importId}, message_id, copy_id, person, name, label, bytes, entry, address, host, line
    from unnest(${column(file => file.message_id)}::bigint[], ${column(file => file.copy_id)}::bigint[], ${column(file => file.person)}::text[],
      ${column(file => file.name)}::text[], ${column(file => file.label)}::text[], ${column(file => file.bytes)}::bigint[], ${column(file => file.entry)}::text[],
      ${column(file => file.address)}::text[], ${column(file => file.host)}::text[], ${column(file => file.line)}::text[])
      as given (message_id, copy_id, person, name, label, bytes, entry, address, host, line)`
}

/** Files that wait for the archive, or that are lost in it, from `after` on. */
export const archivedFiles = (
  sql: ISql,
  importId: number,
  { after, state, most }: { readonly after: number; readonly state: 'waiting' | 'lost'; readonly most: number },
): Promise<ImportFile[]> =>
  sql<ImportFile[]>`
    select ${columns(sql)} from import_files
    where import_id = ${importId} and import_files.id > ${after} and entry is not null and state = ${state}
    order by import_files.id limit ${most}`

/** From now on workers download the files of the import. */
export async function beginDownloads(sql: ISql, importId: number): Promise<void> {
  await sql`
    update import_files set due = now() where import_id = ${importId} and address is not null and state = 'waiting' and due is null`
}

/** Takes some files that are due; other processes skip them until the claim ends. */
export const claimFiles = (sql: Sql, most: number): Promise<ImportFile[]> =>
  sql<ImportFile[]>`
    update import_files set due = now() + make_interval(mins => ${claimMinutes}), attempts = attempts + 1
    where id in (select id from import_files where due <= now() order by due limit ${most} for update skip locked)
    returning ${columns(sql)}`

/** Takes some lost files of an import, from `after` on, which are downloaded once more. */
export const claimLostFiles = (sql: Sql, importId: number, after: number, most: number): Promise<ImportFile[]> =>
  sql<ImportFile[]>`
    update import_files set due = now() + make_interval(mins => ${claimMinutes}), attempts = 1, state = 'waiting', why = null
    where id in (
      select id from import_files
      where import_id = ${importId} and id > ${after} and state = 'lost' and address is not null
      order by id limit ${most} for update skip locked)
    returning ${columns(sql)}`

export async function setStored(tx: Tx, id: number, attachmentId: number | null): Promise<void> {
  await tx`
    update import_files set state = 'stored', why = null, due = null, attachment_id = ${attachmentId} where id = ${id}`
}

/** `line`: what its messages say now. A file that another process has stored meanwhile stays stored. */
export async function setLost(tx: Tx, id: number, why: string, line: string): Promise<void> {
  await tx`
    update import_files set state = 'lost', why = ${why}, due = null, line = ${line} where id = ${id} and state <> 'stored'`
}

/** The file is tried again. */
export async function tryLater(sql: ISql, id: number, seconds: number): Promise<void> {
  await sql`update import_files set due = now() + make_interval(secs => ${seconds}) where id = ${id}`
}

/** The host is not asked for any of its files meanwhile; the attempt does not count. False: it has been busy for days. */
export async function spareHost(sql: Sql, { id, host }: ImportFile, seconds: number): Promise<boolean> {
  await sql`
    update import_files set due = now() + make_interval(secs => ${seconds})
    where host = ${host} and due < now() + make_interval(secs => ${seconds})`
  const spared = await sql`
    update import_files set due = now() + make_interval(secs => ${seconds}), attempts = attempts - 1
    where id = ${id} and import_id in (
      select id from imports where finished is null or finished > now() - make_interval(days => ${mostDays}))`
  return spared.count > 0
}

/** The account of the person whose picture the file is; 0: there is none. */
export async function personOf(sql: ISql, { import_id, person }: ImportFile): Promise<number> {
  const [row] = await sql<{ id: number | null }[]>`
    select object_id as id from import_objects where import_id = ${import_id} and kind = 'person' and key = ${person}`
  return row?.id ?? 0
}

/** Files by what became of them; `why` is '' but for lost ones. */
export interface FileCount {
  readonly import_id: number
  readonly state: 'waiting' | 'stored' | 'lost'
  readonly why: string
  readonly files: number
}

/** Of one import, or of all. */
export const countFiles = (sql: ISql, importId: number | null): Promise<FileCount[]> =>
  sql<FileCount[]>`
    select import_id, state, coalesce(why, '') as why, count(*)::int as files from import_files
    where ${importId}::int is null or import_id = ${importId}
    group by 1, 2, 3 order by 1, 2, 3`

/** Files that the import has stored; their rows forget them. At most `most`. */
export async function takeStoredFiles(tx: Tx, importId: number, most: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    with taken as (
      select id, attachment_id from import_files where import_id = ${importId} and attachment_id is not null limit ${most}
    )
    update import_files set attachment_id = null from taken where import_files.id = taken.id returning taken.attachment_id as id`
  return rows.map(row => row.id)
}
