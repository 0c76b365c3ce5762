import type { Item } from './items.js'

/** One update of the virtual list. */
export interface Step {
  readonly items: readonly Item[]
  /** Entries above the held message appeared or disappeared: the list keeps the sizes of the others by counting from the end. */
  readonly shifts: boolean
}

/** The id of the message that an entry shows. */
export function messageIdOf(item: Item): number | undefined {
  const [kind, id] = item.split(':')
  return kind === 'head' || kind === 'tail' ? Number(id) : undefined
}

/**
 * The updates from the old entries to the new ones. The virtual list keeps sizes by index, counted either from the
 * start or from the end, so changes on both sides of the message that the user reads need two updates.
 */
export function stepsBetween(before: readonly Item[], now: readonly Item[], readId: number | undefined): Step[] {
  const was = before.findIndex(item => messageIdOf(item) === readId)
  const is = now.findIndex(item => messageIdOf(item) === readId)
  if (readId === undefined || was < 0 || is < 0 || was === is) return [{ items: now, shifts: false }]
  const above = { items: [...now.slice(0, is + 1), ...before.slice(was + 1)], shifts: true }
  return now.length - is === before.length - was
    ? [{ items: now, shifts: true }]
    : [above, { items: now, shifts: false }]
}
