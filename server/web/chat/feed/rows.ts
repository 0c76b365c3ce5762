import type { Item } from './items.js'
import { messageIdOf } from './steps.js'

/** What the virtual list knows of its rows; offsets in pixels from the top of the first row. */
export interface Rows {
  /** The row at an offset; rows that are not measured yet have estimated sizes. */
  findItemIndex(offset: number): number
  getItemOffset(index: number): number
}

/** Ids of the messages in the rows between two offsets. */
export function messagesBetween(items: readonly Item[], rows: Rows, top: number, bottom: number): number[] {
  const visible = items.slice(rows.findItemIndex(top), rows.findItemIndex(bottom) + 1)
  return visible.map(messageIdOf).filter(id => id !== undefined)
}

/** The message whose place the row at this offset has, if the heading with that place is above the offset. */
export function placeAbove(items: readonly Item[], rows: Rows, top: number): number | undefined {
  const first = rows.findItemIndex(top)
  const index = items.findLastIndex((item, at) => at <= first && item.startsWith('place:'))
  if (index < 0 || rows.getItemOffset(index) >= top) return undefined
  return Number(items[index]?.slice('place:'.length))
}
