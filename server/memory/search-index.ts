import type { Sql } from '../store/driver/db.js'
import { isSearchRebuilt } from '../store/messages/search-rebuild.js'

/**
 * Whether all messages have the words of this program, so that searches use them.
 *
 * Source: `search_rebuild`.
 * Version: none; what was rebuilt stays so.
 * Bound: one value.
 * Dropped: never.
 */
export class SearchIndex {
  private isRebuilt = false

  constructor(private readonly sql: Sql) {}

  async isReady(): Promise<boolean> {
    this.isRebuilt ||= await isSearchRebuilt(this.sql)
    return this.isRebuilt
  }
}
