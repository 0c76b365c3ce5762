import type { ISql, Tx } from '../driver/db.js'

/** A message whose words are to be made. */
export interface WordlessMessage {
  readonly id: number
  /** Of its row. */
  readonly version: string
  readonly topic: string
  readonly rendered_content: string
}

/** How far the words of all messages are made (migration 0045). */
export interface SearchRebuild {
  readonly is_rebuilt: boolean
  readonly languages: readonly string[] | null
  readonly changes: number
}

export async function readRebuild(sql: ISql): Promise<SearchRebuild> {
  const [row] = await sql<
    SearchRebuild[]
  >`select next_id > last_id as is_rebuilt, languages, changes from search_rebuild`
  if (!row) throw new Error('the schema has no row about the search index')
  return row
}

/**
 * All messages get their words again, because searches find words in other languages. `languages`: those before. The transaction holds the
 * organization for a change, so no message with words of before is stored later.
 */
export async function beginRebuild(tx: Tx, languages: readonly string[]): Promise<void> {
  await tx`
    update search_rebuild set next_id = 0, last_id = (select last_value from messages_id_seq), changes = changes + 1,
      languages = case
        when next_id > last_id then ${languages as string[]}::text[]
        when languages is not null then array(select distinct unnest(languages || ${languages as string[]}::text[]))
      end`
}

/** The next messages, by id, whose words are to be made again. */
export async function nextToRebuild(sql: ISql, most: number): Promise<readonly WordlessMessage[]> {
  return sql<WordlessMessage[]>`
    select m.id, m.xmin::text as version, m.topic, m.rendered_content
    from search_rebuild r, lateral (
      select id, xmin, topic, rendered_content from messages where id >= r.next_id and id <= r.last_id order by id limit ${most}
    ) m order by m.id`
}

/** Messages whose words are to be made: of an older program, an import, a restore; with files of text, or acts on a widget. */
export const wordlessMessages = (sql: ISql, most: number): Promise<readonly WordlessMessage[]> =>
  sql<WordlessMessage[]>`
    select id, xmin::text as version, topic, rendered_content from messages where search @@ '#before'::tsquery limit ${most}`

/** As in migration 0041. */
const textFile = String.raw`\.(txt|md|csv|tsv|log|json|ya?ml|xml|ini|toml|sql|diff|patch|srt|vtt|tex)$`

/** Files of text that messages use, none larger than `mostBytes`; of each message the oldest, at most `mostFiles`. */
export const textFilesOf = (
  sql: ISql,
  messageIds: readonly number[],
  { mostBytes, mostFiles }: { readonly mostBytes: number; readonly mostFiles: number },
): Promise<readonly { readonly message_id: number; readonly path_id: string }[]> =>
  sql<{ message_id: number; path_id: string }[]>`
    select message_id, path_id from (
      select u.message_id, a.path_id, row_number() over (partition by u.message_id order by a.id) as place
      from attachment_uses u join attachments a on a.id = u.attachment_id
      where u.message_id = any(${messageIds as number[]}::bigint[]) and a.size <= ${mostBytes} and a.path_id ~* ${textFile}
    ) files where place <= ${mostFiles} order by message_id, place`

/** What people did to these messages that are widgets, in its order. */
export const actsOnWidgets = (
  sql: ISql,
  messageIds: readonly number[],
): Promise<readonly { readonly message_id: number; readonly acts: readonly string[] }[]> =>
  sql<{ message_id: number; acts: string[] }[]>`
    select message_id, array_agg(content order by id) as acts
    from submessages where message_id = any(${messageIds as number[]}::bigint[]) group by message_id`

/** Stores the words of messages, and marks those that have changed since they were read. `search`: as the text of a `tsvector`. */
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
    update messages m set search = case
      when held.version = given.version then given.search::tsvector || search_marks(m.id, m.has_link, m.has_image, m.has_attachment)
      else m.search || '#before'::tsvector end
    from given join held using (id) where m.id = given.id`
}

/** Notes that all messages up to this one have their words; undefined: all have. False: the setting has changed since `changes` was read. */
export async function noteRebuilt(sql: ISql, id: number | undefined, { changes }: SearchRebuild): Promise<boolean> {
  const done = await sql`
    update search_rebuild set next_id = coalesce(${id ?? null}::bigint, last_id) + 1,
      languages = case when ${id === undefined} then '{}' else languages end
    where changes = ${changes}`
  return done.count > 0
}

/** The estimates of searches follow the words that messages have now. */
export async function countWords(sql: ISql): Promise<void> {
  await sql`analyze messages (search)`
}
