import { type Address, addressesIn } from './addresses.js'
import { bracketPairs } from './bracket-pairs.js'

/** What the link rules know of the text of a block before they read it. */
export interface LinkScan {
  readonly text: string
  readonly addresses: readonly Address[]
  /** The index of the address that was found last: the parser mostly moves forward. */
  current: number
  /** The closing bracket of each `[`. */
  readonly brackets: ReadonlyMap<number, number>
  /** Characters that may still be read for parentheses of links. */
  room: number
}

/** Scans the text of a block once: a search at each character would take time that grows with its square. */
export function scanLinks(text: string): LinkScan {
  return { text, addresses: addressesIn(text), current: 0, brackets: bracketPairs(text), room: 10 * text.length + 1000 }
}
