import { z } from 'zod'
import { count, word } from './args.js'
import { SlackError } from './slack-error.js'

// Slack's own bound.
const mostOfPage = 1000

/** The arguments of a list that has pages. Slack's programs send an empty cursor for the first one. */
export const pageArgs = { limit: count(mostOfPage).optional(), cursor: z.literal('').or(word()).optional() }

/** The number that a cursor has. @throws {SlackError} invalid_cursor */
export function afterCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw new SlackError('invalid_cursor')
  return Number(cursor)
}

export const nextCursor = (id: number | undefined) => ({
  response_metadata: { next_cursor: id === undefined ? '' : String(id) },
})

/** The things after the cursor by ascending id, as many as the page has. @throws {SlackError} invalid_cursor */
export function pageOf<Thing>(
  all: readonly Thing[],
  idOf: (thing: Thing) => number,
  { limit = mostOfPage, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
) {
  const after = afterCursor(cursor) ?? 0
  const rest = all.filter(one => idOf(one) > after).sort((a, b) => idOf(a) - idOf(b))
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return { shown, next: nextCursor(last && rest.length > shown.length ? idOf(last) : undefined) }
}
