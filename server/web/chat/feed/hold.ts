/** The message that is read, and how far below the upper edge of the list it stands. */
interface Held {
  readonly id: number
  readonly top: number
}

/**
 * Keeps a message where it stands in the window while what is around it comes, goes or changes its size. It goes by where
 * the message is in the document, not by what is reckoned: sizes that were estimated, and rows that changed their index, do
 * not matter.
 */
export interface Hold {
  readonly id: () => number | undefined
  /** Holds what stands uppermost in sight, as it stands now. */
  take(): void
  /** Holds a message at a place that it may have yet to come to. */
  takeAt(id: number, top: number): void
  /** Scrolls what is held to where it stood. False: it is not there, or not measured. */
  restore(): boolean
}

// Where the browser puts it may be this far from where it should be, by rounding.
const roundingPixels = 1

export function createHold(list: HTMLElement): Hold {
  let held: Held | undefined
  const topOf = (row: Element) => row.getBoundingClientRect().top - list.getBoundingClientRect().top
  return {
    id: () => held?.id,
    take() {
      const row = uppermost(list)
      if (!row) {
        held = undefined
        return
      }
      const [id, top] = [Number(row.dataset.messageId), topOf(row)]
      // Many roundings would add up.
      if (held?.id === id && Math.abs(held.top - top) < roundingPixels) return
      held = { id, top }
    },
    takeAt(id, top) {
      held = { id, top }
    },
    restore() {
      if (!held) return false
      const row = list.querySelector<HTMLElement>(`[data-message-id="${held.id}"]`)
      if (!row || isUnmeasured(row)) return false
      const by = topOf(row) - held.top
      if (Math.abs(by) >= roundingPixels) list.scrollTop += by
      return true
    },
  }
}

/** The first message that begins in sight; where none does, the one that fills the window. */
function uppermost(list: HTMLElement): HTMLElement | undefined {
  const { top, bottom } = list.getBoundingClientRect()
  let filling: HTMLElement | undefined
  for (const row of list.querySelectorAll<HTMLElement>('[data-message-id]')) {
    const place = row.getBoundingClientRect()
    if (place.bottom <= top || isUnmeasured(row)) continue
    if (place.top >= bottom) break
    if (place.top >= top) return row
    filling = row
  }
  return filling
}

/** The list keeps a row hidden until it knows its size: nobody has seen it. */
const isUnmeasured = (row: HTMLElement): boolean => getComputedStyle(row).visibility === 'hidden'

/** Whether all rows that are in the document are measured. */
export const isMeasured = (list: HTMLElement): boolean =>
  [...(list.firstElementChild?.children ?? [])].every(row => (row as HTMLElement).style.visibility !== 'hidden')
