import type { ISql, Tx } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'

/** `reaction_type` as stored: without the brand. */
export interface ReactionRow {
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'extra_emoji'
  emoji_code: string
  emoji_name: string
}

type Emoji = Pick<ReactionRow, 'reaction_type' | 'emoji_code'>

const isEmoji = (sql: ISql, { reaction_type, emoji_code }: Emoji): Parts =>
  sql`reaction_type = ${reaction_type} and emoji_code = ${emoji_code}`

/** What `openMessage` reads with `reactionsWith`. */
export interface ReactionsWith {
  /** The name with which this emoji was first added to the message as a reaction; null: it was not. */
  emoji_name: string | null
  /** Number of different emoji among the reactions to the message. */
  emoji_count: number
}

export const reactionsWith = (sql: ISql, emoji: Emoji): Parts => sql`
  , (select emoji_name from reactions where message_id = m.id and ${isEmoji(sql, emoji)} order by id limit 1),
  (select count(distinct (reaction_type, emoji_code))::int from reactions where message_id = m.id) as emoji_count`

/** What `openMessage` reads with `ownReaction`. */
export interface OwnReaction {
  /** Null: the user has no such reaction. */
  emoji_name: string | null
}

export const ownReaction = (sql: ISql, userId: number, emoji: Emoji): Parts => sql`
  , (select emoji_name from reactions where message_id = m.id and user_id = ${userId} and ${isEmoji(sql, emoji)})`

/** The part `done`: no row if the user has this reaction already. The primary key decides between concurrent requests. */
export const insertReaction = (sql: ISql, userId: number, reaction: ReactionRow): Parts => sql`
  done as (
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select id, ${userId}, ${reaction.reaction_type}, ${reaction.emoji_code}, ${reaction.emoji_name} from checked
    on conflict do nothing
    returning message_id
  )`

/** The part `done`: no row if the user has no such reaction. */
export const deleteReaction = (sql: ISql, userId: number, emoji: Emoji): Parts => sql`
  done as (
    delete from reactions using checked where message_id = checked.id and user_id = ${userId} and ${isEmoji(sql, emoji)}
    returning message_id
  )`

/** Messages with reactions of the user, at most `most`. Reads all reactions. */
export async function messagesReactedTo(sql: ISql, userId: number, most: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select distinct message_id as id from reactions where user_id = ${userId} order by 1 limit ${most}`
  return rows.map(row => row.id)
}

/** Deletes the user's reactions to a message, and returns them. */
export function deleteReactionsOf(tx: Tx, messageId: number, userId: number): Promise<ReactionRow[]> {
  return tx<ReactionRow[]>`
    delete from reactions where message_id = ${messageId} and user_id = ${userId} returning reaction_type, emoji_code, emoji_name`
}
