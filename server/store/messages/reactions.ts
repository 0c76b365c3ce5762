import type { ISql, Tx } from '../driver/db.js'

/** `reaction_type` as stored: without the brand. */
export interface ReactionRow {
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'extra_emoji'
  emoji_code: string
  emoji_name: string
}

/** The name with which an emoji was first added to a message as a reaction. */
export async function nameInUse(
  sql: ISql,
  messageId: number,
  { reaction_type, emoji_code }: Pick<ReactionRow, 'reaction_type' | 'emoji_code'>,
): Promise<string | undefined> {
  const [row] = await sql<{ emoji_name: string }[]>`
    select emoji_name from reactions
    where message_id = ${messageId} and reaction_type = ${reaction_type} and emoji_code = ${emoji_code}
    order by id limit 1`
  return row?.emoji_name
}

/** Number of different emoji among the reactions to a message. */
export async function countEmoji(sql: ISql, messageId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct (reaction_type, emoji_code))::int as count from reactions where message_id = ${messageId}`
  return row?.count ?? 0
}

/** False: the user has added this reaction already. The primary key decides between concurrent requests. */
export async function insertReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  reaction: ReactionRow,
): Promise<boolean> {
  const rows = await tx`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select id, ${userId}, ${reaction.reaction_type}, ${reaction.emoji_code}, ${reaction.emoji_name}
    from messages where id = ${messageId} for key share
    on conflict do nothing
    returning id`
  return rows.length > 0
}

/** Returns the name of the deleted reaction; undefined: the user has no such reaction. */
export async function deleteReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  { reaction_type, emoji_code }: Pick<ReactionRow, 'reaction_type' | 'emoji_code'>,
): Promise<string | undefined> {
  const [row] = await tx<{ emoji_name: string }[]>`
    delete from reactions
    where message_id = ${messageId} and user_id = ${userId} and reaction_type = ${reaction_type}
      and emoji_code = ${emoji_code}
    returning emoji_name`
  return row?.emoji_name
}
