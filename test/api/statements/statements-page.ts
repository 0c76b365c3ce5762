import { areas } from '../../../server/api/index.js'
import type { Counted } from './statement-counter.js'
import { usualRequests } from './usual-requests.js'

const begin = '<!-- statements: written by `WRITE_STATEMENTS=1 npm test test/api/statements` -->'
const end = '<!-- /statements -->'

/**
 * The page with these figures between its two marker comments.
 * @throws if the page lacks the markers.
 */
export function withStatements(page: string, usual: Counted, all: Counted): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no place for the statements: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${usualTable(usual)}\n\n${allTables(all)}\n\n${page.slice(to)}`
}

function usualTable(counted: Counted): string {
  const rows = Object.entries(usualRequests).map(
    ([what, most]) => `| ${what} | ${counted.get(what)?.length} | ${most} |`,
  )
  return ['| usual request | statements | at most |', '|---|---:|---:|', ...rows].join('\n')
}

/** A row for each operation: one that no example shows has none. */
function allTables(counted: Counted): string {
  const rows = Object.entries(areas).flatMap(([area, routes]) =>
    routes.flatMap(({ operation }) => {
      const statements = counted.get(operation)
      return statements ? [`| ${area} | \`${operation}\` | ${statements.length} |`] : []
    }),
  )
  return ['| area | operation | statements |', '|---|---|---:|', ...rows].join('\n')
}
