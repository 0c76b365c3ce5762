import type { Item } from './items.js'

/** What the list is given at a time. */
export interface Step {
  readonly items: readonly Item[]
  /** Entries came or went above what is read: the list keeps what it knows of the others' sizes by counting from the end. */
  readonly shifts: boolean
}

/** The message that an entry shows, with its sender or without. */
export function messageIdOf(item: Item): number | undefined {
  const [kind, id] = item.split(':')
  return kind === 'head' || kind === 'tail' ? Number(id) : undefined
}

/**
 * From what was shown to what is: the list keeps sizes by index, and counts either from its beginning or from its end. What
 * changed on both sides of the message that is read is therefore given to it in two steps.
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
