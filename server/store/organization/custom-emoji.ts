import type { Tx } from '../driver/db.js'

export interface CustomEmojiRow {
  id: number
  name: string
  author_id: number
  /** Path of its picture below `/user_avatars/`. */
  path: string
  is_animated: boolean
  deactivated: boolean
  version: number
}

/** The caller has bumped the version. */
export const insertCustomEmoji = (
  tx: Tx,
  emoji: readonly Pick<CustomEmojiRow, 'name' | 'path' | 'is_animated'>[],
  authorId: number,
  version: number,
): Promise<CustomEmojiRow[]> =>
  tx<CustomEmojiRow[]>`
    insert into custom_emoji (name, author_id, path, is_animated, version)
    select name, ${authorId}, path, is_animated = 1, ${version}
    from unnest(${emoji.map(one => one.name)}::text[], ${emoji.map(one => one.path)}::text[],
      ${emoji.map(one => (one.is_animated ? 1 : 0))}::int[]) as given (name, path, is_animated)
    returning id, name, author_id, path, is_animated, deactivated, version`

export async function deactivateCustomEmoji(tx: Tx, id: number, version: number): Promise<void> {
  await tx`update custom_emoji set deactivated = true, version = ${version} where id = ${id}`
}
