import type { ISql, Tx } from '../driver/db.js'

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

/** The custom emoji of the organization in memory, deactivated ones included. */
export class CustomEmojiList {
  private readonly byId = new Map<number, CustomEmojiRow>()
  private readonly activeByName = new Map<string, CustomEmojiRow>()

  get size(): number {
    return this.byId.size
  }

  /** All emoji, ascending by id. */
  all(): CustomEmojiRow[] {
    return [...this.byId.values()].sort((a, b) => a.id - b.id)
  }

  /** The active emoji with this name. */
  active(name: string): CustomEmojiRow | undefined {
    return this.activeByName.get(name)
  }

  /** Takes changed rows; of two versions of a row the newer one stays. */
  put(rows: readonly CustomEmojiRow[]): void {
    const newer = rows.filter(row => row.version >= (this.byId.get(row.id)?.version ?? 0))
    for (const row of newer) {
      this.byId.set(row.id, row)
      if (this.activeByName.get(row.name)?.id === row.id) this.activeByName.delete(row.name)
    }
    for (const row of newer) if (!row.deactivated) this.activeByName.set(row.name, row)
  }
}

/** The emoji that changed after organization version `after`. */
export async function customEmojiChangedAfter(sql: ISql, after: number): Promise<CustomEmojiRow[]> {
  return sql<CustomEmojiRow[]>`
    select id, name, author_id, path, is_animated, deactivated, version from custom_emoji where version > ${after}`
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
