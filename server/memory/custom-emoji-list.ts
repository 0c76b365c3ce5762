import type { CustomEmojiRow } from '../store/organization/custom-emoji.js'

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

  remove(id: number): void {
    const row = this.byId.get(id)
    if (!row) return
    this.byId.delete(id)
    if (this.activeByName.get(row.name)?.id === id) this.activeByName.delete(row.name)
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
