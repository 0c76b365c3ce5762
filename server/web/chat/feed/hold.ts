/** The message that the user reads, and its distance from the top of the list in pixels. */
interface Held {
  readonly id: number
  readonly top: number
}

/**
 * Keeps a message at its place in the window while rows around it appear, disappear or change size. It uses positions
 * in the document, not computed ones, so estimated sizes and changed indexes do not matter.
 */
interface Hold {
  readonly id: () => number | undefined
  /** Holds the topmost visible message at its current position. */
  take(): void
  /** Holds a message at a position that it may not have yet. */
  takeAt(id: number, top: number): void
  /** Scrolls the held message back to its position. False: it is not in the document, or not measured. */
  restore(): boolean
}

// Rounding by the browser may move an element this far.
const roundingPixels = 1

export function createHold(list: () => HTMLElement): Hold {
  let held: Held | undefined
  const topOf = (row: Element) => row.getBoundingClientRect().top - list().getBoundingClientRect().top
  return {
    id: () => held?.id,
    take() {
      const row = uppermost(list())
      if (!row) {
        held = undefined
        return
      }
      const [id, top] = [Number(row.dataset.messageId), topOf(row)]
      // Storing each rounded position would add up the errors.
      if (held?.id === id && Math.abs(held.top - top) < roundingPixels) return
      held = { id, top }
    },
    takeAt(id, top) {
      held = { id, top }
    },
    restore() {
      if (!held) return false
      const row = list().querySelector<HTMLElement>(`[data-message-id="${held.id}"]`)
      if (!row || isUnmeasured(row)) return false
      const by = topOf(row) - held.top
      if (Math.abs(by) >= roundingPixels) list().scrollTop += by
      return true
    },
  }
}

/** The topmost message whose top is visible; otherwise the one that fills the window. */
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

/** The virtual list hides a row until it knows its size. */
const isUnmeasured = (row: HTMLElement): boolean => getComputedStyle(row).visibility === 'hidden'

/** Whether all rows in the document are measured. */
export const isMeasured = (list: HTMLElement): boolean =>
  [...(list.firstElementChild?.children ?? [])].every(row => (row as HTMLElement).style.visibility !== 'hidden')
