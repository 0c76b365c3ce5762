import type { ISql, Tx } from '../driver/db.js'

/** A message whose words are to be made. */
export interface WordlessMessage {
  readonly id: number
  /** Of its row: a change of it in the meantime stores its words, too. */
  readonly version: string
  readonly topic: string
  readonly rendered_content: string
}

/** Whether all messages have the words of this program. Once they have, it stays so. */
export async function isSearchRebuilt(sql: ISql): Promise<boolean> {
  const [row] = await sql<{ is_rebuilt: boolean }[]>`select next_id > last_id as is_rebuilt from search_rebuild`
  return row?.is_rebuilt ?? true
}

/** The next messages, by id, whose words an older program made. */
export async function nextToRebuild(sql: ISql, most: number): Promise<readonly WordlessMessage[]> {
  return sql<WordlessMessage[]>`
    select m.id, m.xmin::text as version, m.topic, m.rendered_content
    from search_rebuild r, lateral (
      select id, xmin, topic, rendered_content from messages where id >= r.next_id and id <= r.last_id order by id limit ${most}
    ) m order by m.id`
}

/** Messages that were stored without words: by an older program, an import, a restore. */
export const wordlessMessages = (sql: ISql, most: number): Promise<readonly WordlessMessage[]> =>
  sql<WordlessMessage[]>`
    select id, xmin::text as version, topic, rendered_content from messages where search @@ '#before'::tsquery limit ${most}`

/** Stores the words of messages that have not changed since they were read. `search`: as the text of a `tsvector`. */
export async function storeWords(
  tx: Tx,
  messages: readonly { readonly id: number; readonly version: string; readonly search: string }[],
): Promise<void> {
  await tx`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(messages)}::text::json) as given (id bigint, version text, search text)
    ), held as materialized (
      select m.id, m.xmin::text as version from messages m where m.id in (select id from given) order by m.id for no key update
    )
    update messages m set search = given.search::tsvector || search_marks(m.id, m.has_link, m.has_image, m.has_attachment)
    from given join held using (id, version) where m.id = given.id`
}

/** Notes that all messages up to this one have their words; undefined: all have. */
export async function noteRebuilt(sql: ISql, id: number | undefined): Promise<void> {
  await sql`update search_rebuild set next_id = coalesce(${id ?? null}::bigint, last_id) + 1`
}

/** The estimates of searches follow the words that messages have now. */
export async function countWords(sql: ISql): Promise<void> {
  await sql`analyze messages (search)`
}
