import type { ISql, Tx } from '../driver/db.js'

type Kind = 'person' | 'channel' | 'conversation' | 'emoji' | 'group'

/** What a person, a group, a channel or a conversation of an archive is here. */
export interface ImportObject {
  readonly kind: Kind
  readonly key: string
  readonly object_id: number | null
  readonly is_new: boolean
  readonly name: string | null
  readonly is_bot: boolean
}

// Rows per statement.
const together = 5000

export async function insertObjects(tx: Tx, importId: number, objects: readonly ImportObject[]): Promise<void> {
  for (let i = 0; i < objects.length; i += together) {
    const rows = objects.slice(i, i + together).map(one => ({ import_id: importId, ...one }))
    await tx`insert into import_objects ${tx(rows)}`
  }
}

export const readObjects = (sql: ISql, importId: number): Promise<ImportObject[]> =>
  sql<ImportObject[]>`
    select kind, key, object_id, is_new, name, is_bot from import_objects where import_id = ${importId} order by kind, key`

/** What earlier imports from the same server have made of the keys. */
export const earlierObjects = (sql: ISql, source: string): Promise<ImportObject[]> =>
  sql<ImportObject[]>`
    select distinct on (kind, key) kind, key, object_id, is_new, name, is_bot
    from import_objects join imports on imports.id = import_id
    where source = ${source} and object_id is not null order by kind, key, import_id desc`

/** The accounts of people; their names at the source are not kept. */
export async function setPeople(
  tx: Tx,
  importId: number,
  people: readonly { readonly key: string; readonly id: number; readonly isNew: boolean }[],
): Promise<void> {
  await tx`
    update import_objects set object_id = given.id, is_new = given.is_new = 1, name = null
    from unnest(${people.map(one => one.key)}::text[], ${people.map(one => one.id)}::int[],
      ${people.map(one => (one.isNew ? 1 : 0))}::int[]) as given (key, id, is_new)
    where import_id = ${importId} and kind = 'person' and import_objects.key = given.key`
}

export async function setConversation(sql: ISql, importId: number, key: string, id: number): Promise<void> {
  await sql`
    update import_objects set object_id = ${id} where import_id = ${importId} and kind = 'conversation' and key = ${key}`
}

/** Ids of channels that do not exist yet. */
export async function reserveChannelIds(tx: Tx, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('channels', 'id'))::int as id from generate_series(1, ${count})`
  return rows.map(row => row.id)
}

export async function setGroup(
  tx: Tx,
  importId: number,
  { key, id, name }: { readonly key: string; readonly id: number; readonly name: string },
): Promise<void> {
  await tx`
    update import_objects set object_id = ${id}, name = ${name} where import_id = ${importId} and kind = 'group' and key = ${key}`
}
