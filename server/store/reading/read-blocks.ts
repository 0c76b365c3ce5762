import type { ISql } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'

// Ids per row. Each read message rewrites the ranges of its whole block, so a block is small enough for the case that every second
// message stays unread, and large enough that there are few rows. The statements compute the block with `>> 16`.
export const idsPerBlock = 2 ** 16

/** The id after that of the last possible block, whose number is an int. */
export const endOfBlocks = 2 ** 31 * idsPerBlock

/** The number of the row that holds an id. */
export const blockOf = (id: number): number => Math.floor(id / idsPerBlock)

/** The ids of one row of the read state. */
interface ReadBlock {
  readonly block: number
  /** As text of an int8multirange. */
  readonly ranges: string
}

/** Ascending ids without duplicates as rows of the read state, in the order of the locks. */
export function readBlocks(ids: readonly number[]): ReadBlock[] {
  const blocks: ReadBlock[] = []
  let ranges: string[] = []
  for (let i = 0; i < ids.length; ) {
    const first = ids[i] as number
    const block = blockOf(first)
    const end = (block + 1) * idsPerBlock
    let next = first
    while (i < ids.length && ids[i] === next && next < end) {
      i++
      next++
    }
    ranges.push(`[${first},${next})`)
    const following = ids[i]
    if (following === undefined || following >= end) {
      blocks.push({ block, ranges: `{${ranges.join()}}` })
      ranges = []
    }
  }
  return blocks
}

/** A select of these blocks, with the columns `block` and `ranges`, in the order of the locks. */
export function givenBlocks(sql: ISql, blocks: readonly ReadBlock[]): Parts {
  const [only] = blocks
  if (only && blocks.length === 1)
    return sql`select ${only.block}::int as block, ${only.ranges}::int8multirange as ranges`
  return sql`
    select block, ranges::int8multirange as ranges
    from unnest(${blocks.map(one => one.block)}::int[], ${blocks.map(one => one.ranges)}::text[]) as given (block, ranges)
    order by block`
}

/** Whether a block has to be condensed: only where its ranges exceed twice the number left last time, because that reads its messages. */
export const isCrowded = (sql: ISql): Parts => sql`(select count(*) from unnest(ranges)) > 256 + 2 * condensed`
