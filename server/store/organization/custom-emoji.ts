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
export async function insertCustomEmoji(
  tx: Tx,
  { name, author_id, path, is_animated, version }: Omit<CustomEmojiRow, 'id' | 'deactivated'>,
): Promise<CustomEmojiRow> {
  const [row] = await tx<CustomEmojiRow[]>`
    insert into custom_emoji (name, author_id, path, is_animated, version)
    values (${name}, ${author_id}, ${path}, ${is_animated}, ${version})
    returning id, name, author_id, path, is_animated, deactivated, version`
  if (!row) throw new Error('no row of an emoji came back')
  return row
}

export async function deactivateCustomEmoji(tx: Tx, id: number, version: number): Promise<void> {
  await tx`update custom_emoji set deactivated = true, version = ${version} where id = ${id}`
}
