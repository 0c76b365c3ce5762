import type { ISql } from '../driver/db.js'

/** A text with its HTML. */
export interface StoredText {
  readonly id: number
  readonly content: string
  readonly rendered_content: string
}

/** Where texts are, with the columns of a text and its HTML. First those that become messages: what is sent meanwhile is then found as a message. */
const places = {
  scheduled_messages: { content: 'content', html: 'rendered_content' },
  reminders: { content: 'content', html: 'rendered_content' },
  messages: { content: 'content', html: 'rendered_content' },
  message_edits: { content: 'prev_content', html: 'prev_rendered_content' },
  archived_messages: { content: 'content', html: 'rendered_content' },
} as const

export type PlaceOfTexts = keyof typeof places
export const placesOfTexts = Object.keys(places) as readonly PlaceOfTexts[]

// Rows that one statement reads.
const page = 10_000

/** How the HTML of a mention begins, after its class. */
export const mentionAttribute = (userId: number): string => `data-user-id="${userId}"`

/** The texts that mention the user among the next rows after an id. `last`: the last of these rows; null: there were none. */
export async function mentioningTexts(
  sql: ISql,
  place: PlaceOfTexts,
  userId: number,
  after: number,
): Promise<{ readonly last: number | null; readonly texts: readonly StoredText[] }> {
  const { content, html } = places[place]
  const [end] = await sql<[{ last: number | null }]>`
    select max(id) as last from (select id from ${sql(place)} where id > ${after} order by id limit ${page}) rows`
  if (end.last === null) return { last: null, texts: [] }
  const texts = await sql<StoredText[]>`
    select id, ${sql(content)} as content, ${sql(html)} as rendered_content from ${sql(place)}
    where id > ${after} and id <= ${end.last} and position(${mentionAttribute(userId)} in ${sql(html)}) > 0 order by id`
  return { last: end.last, texts }
}

/** Replaces a text, unless it has changed since it was read. */
export async function replaceText(sql: ISql, place: PlaceOfTexts, was: StoredText, is: StoredText): Promise<void> {
  const { content, html } = places[place]
  await sql`
    update ${sql(place)} set ${sql(content)} = ${is.content}, ${sql(html)} = ${is.rendered_content}
    where id = ${was.id} and ${sql(html)} = ${was.rendered_content}`
}

/** Removes the earlier versions of archived messages that mention the user. */
export async function dropArchivedVersions(sql: ISql, userId: number): Promise<void> {
  await sql`
    update archived_messages set parts = parts - 'message_edits'
    where parts ? 'message_edits' and position(${mentionAttribute(userId).replaceAll('"', '\\"')} in (parts -> 'message_edits')::text) > 0`
}
