import type { Sql } from '../store/driver/db.js'
import { readRebuild } from '../store/messages/search-rebuild.js'
import type { Directory } from './directory.js'

/** `before`: languages whose stems messages may still have beside those of the setting; null: messages may have the words of 0.1.0. */
interface SearchIndexState {
  readonly before: readonly string[] | null
}

const rebuilt: SearchIndexState = { before: [] }

/**
 * Whether all messages have the words of this program, in the languages of the setting.
 *
 * Source: `search_rebuild`.
 * Version: that of the directory, which a change of the setting raises. While the words are made, each search asks again.
 * Bound: one value.
 * Dropped: when the directory has another version.
 */
export class SearchIndex {
  private rebuiltAt = 0

  constructor(
    private readonly sql: Sql,
    private readonly directory: Directory,
  ) {}

  async state(): Promise<SearchIndexState> {
    const { version } = this.directory
    if (this.rebuiltAt === version) return rebuilt
    const { is_rebuilt, languages } = await readRebuild(this.sql)
    if (!is_rebuilt) return { before: languages }
    this.rebuiltAt = version
    return rebuilt
  }
}
