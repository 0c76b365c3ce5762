import { LRUCache } from 'lru-cache'
import type { UserRow } from '../store/users/users.js'
import type { Directory } from './directory.js'
import { SharedBytes } from './shared-bytes.js'

// Ids per block. A changed user costs the encoding of its whole block; each block costs a comparison of its rows.
const idsPerBlock = 64

/** Users with neighbouring ids, and the position of their objects in the list, in bytes. */
interface Block {
  readonly rows: readonly UserRow[]
  readonly from: number
  readonly to: number
}

/** A list of users that is the same for many viewers, as the bytes of a JSON array. */
export class SharedUserList {
  private constructor(
    readonly bytes: SharedBytes,
    private readonly blocks: ReadonlyMap<number, Block>,
  ) {}

  /** Encodes the list and reuses unchanged blocks of the previous one. `rows`: ids ascending. */
  static of(rows: readonly UserRow[], textOf: (user: UserRow) => string, before?: SharedUserList): SharedUserList {
    const blocks = new Map<number, Block>()
    const pieces: Uint8Array[] = []
    let length = 1
    let isSame = before !== undefined
    for (const [number, members] of inBlocks(rows)) {
      const known = before?.blocks.get(number)
      const isKnown = known !== undefined && areSame(known.rows, members)
      const bytes = isKnown
        ? (before as SharedUserList).bytes.subarray(known.from, known.to)
        : Buffer.from(members.map(textOf).join())
      isSame &&= isKnown
      blocks.set(number, { rows: members, from: length, to: length + bytes.length })
      length += bytes.length + 1
      pieces.push(comma, bytes)
    }
    if (before && isSame && before.blocks.size === blocks.size) return before
    return new SharedUserList(SharedBytes.around(Buffer.concat([opening, ...pieces.slice(1), closing])), blocks)
  }

  /** The list with another text for one user: viewers see more of themselves than of others. */
  with(userId: number, textOf: (user: UserRow) => string): (string | Uint8Array)[] {
    const block = this.blocks.get(numberOf(userId))
    if (!block?.rows.some(user => user.id === userId)) return [this.bytes]
    return [this.bytes.subarray(0, block.from), block.rows.map(textOf).join(), this.bytes.subarray(block.to)]
  }
}

const [opening, comma, closing] = ['[', ',', ']'].map(text => Buffer.from(text)) as [Buffer, Buffer, Buffer]

const numberOf = (userId: number): number => Math.floor(userId / idsPerBlock)

function inBlocks(rows: readonly UserRow[]): Map<number, UserRow[]> {
  const blocks = new Map<number, UserRow[]>()
  for (const user of rows) {
    const number = numberOf(user.id)
    const members = blocks.get(number)
    if (members) members.push(user)
    else blocks.set(number, [user])
  }
  return blocks
}

const areSame = (before: readonly UserRow[], now: readonly UserRow[]): boolean =>
  before.length === now.length && before.every((user, i) => user === now[i])

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
