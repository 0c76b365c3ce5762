import { LRUCache } from 'lru-cache'
import type { Directory } from './directory.js'
import type { SharedUserList } from './shared-user-list.js'

// Each list is as large as the organization; this many cover the forms in which clients request them at one time.
const listsKept = 8

interface KeptList {
  readonly list: SharedUserList
  /** Of the directory. An older list is not valid, but the blocks of users that have not changed are. */
  readonly generation: number
}

/**
 * Lists of users as many viewers get them, by their form.
 *
 * Source: the users of the directory.
 * Version: the generation of the directory.
 * Bound: eight lists.
 * Dropped: replaced in the next generation; the least recently used form.
 */
export const userLists = (_: Directory, last: LRUCache<string, KeptList> | undefined): LRUCache<string, KeptList> =>
  last ?? new LRUCache<string, KeptList>({ max: listsKept })
