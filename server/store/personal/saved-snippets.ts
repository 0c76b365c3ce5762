import type { SavedSnippet } from '../../../shared/resources/saved-snippet.js'
import type { ISql, Query } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

/** The user's snippets in the order of their creation. */
export function readSavedSnippets(sql: ISql, userId: UserId): Query<SavedSnippet> {
  return sql<SavedSnippet[]>`select ${columns(sql)} from saved_snippets where user_id = ${userId} order by id`
}

/** What `openOwn` reads with `snippetTotals`. */
export interface SnippetTotals {
  readonly count: number
  /** Size of the contents in code points. */
  readonly characters: number
}

export const snippetTotals = (sql: ISql): Parts => sql`
  , (select count(*)::int from saved_snippets where user_id = users.id) as count,
  (select coalesce(sum(char_length(content)), 0)::int from saved_snippets where user_id = users.id) as characters`

/** The id and the time of a new snippet, which `openOwn` reads. */
export type NewSnippet = Pick<SavedSnippet, 'id' | 'date_created'>

export const newSnippet = (sql: ISql): Parts => sql`
  , nextval('saved_snippets_id_seq') as id, extract(epoch from now())::int as date_created`

/** What `openOwn` reads with `knownSnippet`; null: the user has no such snippet. */
export interface KnownSnippet {
  readonly snippet: SavedSnippet | null
}

export const knownSnippet = (sql: ISql, id: number): Parts => sql`
  , (
    select row_to_json(known)
    from (select ${columns(sql)} from saved_snippets where user_id = users.id and id = ${id}::bigint) known
  ) as snippet`

/** The part `done`. */
export const insertSavedSnippet = (sql: ISql, { id, title, content, date_created }: SavedSnippet): Parts => sql`
  done as (
    insert into saved_snippets (id, user_id, title, content, date_created) overriding system value
    select ${id}::bigint, checked.id, ${title}, ${content}, to_timestamp(${date_created}::int) from checked
    returning id
  )`

/** The part `done`: no row if the user has no such snippet. */
export const updateSavedSnippet = (sql: ISql, { id, title, content }: SavedSnippet): Parts => sql`
  done as (
    update saved_snippets set title = ${title}, content = ${content} from checked
    where user_id = checked.id and saved_snippets.id = ${id}::bigint returning saved_snippets.id
  )`

/** The part `done`: no row if the user has no such snippet. */
export const deleteSavedSnippet = (sql: ISql, id: number): Parts => sql`
  done as (
    delete from saved_snippets using checked where user_id = checked.id and saved_snippets.id = ${id}::bigint
    returning saved_snippets.id
  )`

const columns = (sql: ISql) => sql`id, title, content, extract(epoch from date_created)::int as date_created`
