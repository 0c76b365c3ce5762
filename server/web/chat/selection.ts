import { createEffect, createSignal, on } from 'solid-js'
import type { Narrow } from '../state/narrow.js'

// A forwarded message has at most 10,000 characters; more quotes than this seldom fit.
const mostSelected = 50

/** The messages of the open view that the user has chosen, to forward or copy them together. */
export interface Selection {
  /** Ascending ids. */
  readonly ids: () => readonly number[]
  has(id: number): boolean
  /** Adds a message, or takes it out. */
  toggle(id: number): void
  add(id: number): void
  clear(): void
}

/** An empty selection; another view empties it again. */
export function createSelection(narrow: () => Narrow | undefined): Selection {
  const [ids, setIds] = createSignal<readonly number[]>([])
  createEffect(on(narrow, () => setIds([])))
  const has = (id: number) => ids().includes(id)
  const add = (id: number) => {
    if (!has(id) && ids().length < mostSelected) setIds([...ids(), id].sort((a, b) => a - b))
  }
  return {
    ids,
    has,
    add,
    toggle: id => (has(id) ? setIds(ids().filter(one => one !== id)) : add(id)),
    clear: () => setIds([]),
  }
}

/**
 * Keys on a message of the list: the arrows go to the next one, with Shift they select both, the space bar selects one, Escape selects
 * none.
 */
export function selectByKey(selection: Selection, event: KeyboardEvent): void {
  const row = event.target as HTMLElement
  const id = Number(row.dataset?.messageId)
  if (!id || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = neighbourOf(row, event.key === 'ArrowDown' ? 1 : -1)
    if (!next) return
    if (event.shiftKey) for (const one of [row, next]) selection.add(Number(one.dataset.messageId))
    next.focus()
  } else if (event.key === ' ') selection.toggle(id)
  else if (event.key === 'Escape' && selection.ids().length > 0) selection.clear()
  else return
  event.preventDefault()
}

function neighbourOf(row: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const rows = [...(row.closest('.feed-scroll')?.querySelectorAll<HTMLElement>('[data-message-id]') ?? [])]
  return rows[rows.indexOf(row) + by]
}
