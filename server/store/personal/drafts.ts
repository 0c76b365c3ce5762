import type { Draft } from '../../../shared/resources/draft.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

export type NewDraft = Omit<Draft, 'id'>

/** The user's drafts, the last edited one first. */
export function readDrafts(sql: ISql, userId: UserId): Query<Draft> {
  return sql<Draft[]>`select ${columns(sql)} from drafts where user_id = ${userId} order by last_edited desc, id desc`
}

/** What `openOwn` reads with `draftTotals`. */
export interface DraftTotals {
  readonly count: number
  /** Size of the contents in code points. */
  readonly characters: number
}

export const draftTotals = (sql: ISql): Parts => sql`
  , (select count(*)::int from drafts where user_id = users.id) as count,
  (select coalesce(sum(char_length(content)), 0)::int from drafts where user_id = users.id) as characters`

/** What `openOwn` reads with `newDraftIds`: ascending. */
export interface NewDraftIds {
  readonly ids: readonly number[]
}

export const newDraftIds = (sql: ISql, count: number): Parts => sql`
  , array(select nextval('drafts_id_seq') from generate_series(1, ${count}::int)) as ids`

/** What `openOwn` reads with `knownDraft`; null: the user has no such draft. */
export interface KnownDraft {
  readonly draft: Draft | null
}

export const knownDraft = (sql: ISql, id: number): Parts => sql`
  , (
    select row_to_json(known) from (select ${columns(sql)} from drafts where user_id = users.id and id = ${id}::bigint) known
  ) as draft`

/** The part `done`, whose row has the ids in the order of `drafts`. */
export const insertDrafts = (sql: ISql, drafts: readonly Draft[]): Parts => sql`
  inserted as (
    insert into drafts (id, user_id, type, recipients, topic, content, last_edited) overriding system value
    select given.id, checked.id, type, "to", topic, content, to_timestamp("timestamp")
    from checked, json_to_recordset(${JSON.stringify(drafts)}::text::json)
      as given (id bigint, type text, "to" int[], topic text, content text, "timestamp" bigint)
    returning id
  ), done as (select array_agg(id order by id) as draft_ids from inserted having count(*) > 0)`

/** The part `done`: no row if the user has no such draft. */
export const updateDraft = (sql: ISql, draft: Draft): Parts => sql`
  done as (
    update drafts set type = ${draft.type}, recipients = ${draft.to}::int[], topic = ${draft.topic},
      content = ${draft.content}, last_edited = to_timestamp(${draft.timestamp}::bigint)
    from checked where user_id = checked.id and drafts.id = ${draft.id}::bigint returning drafts.id
  )`

/** The part `done`: no row if the user has no such draft. */
export const deleteDraft = (sql: ISql, id: number): Parts => sql`
  done as (
    delete from drafts using checked where user_id = checked.id and drafts.id = ${id}::bigint returning drafts.id
  )`

export async function deleteDraftsOf(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx`delete from drafts where user_id = any(${userIds as number[]}::int[])`
}

const columns = (sql: ISql) =>
  sql`id, type, recipients as to, topic, content, extract(epoch from last_edited)::bigint as timestamp`
