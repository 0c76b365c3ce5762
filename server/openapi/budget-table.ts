import { type Budget, budgets } from '../config/budgets.js'

const begin = '<!-- budgets: written by `npm run docs` -->'
const end = '<!-- /budgets -->'

/**
 * The page with the present table of budgets between its two marker comments.
 * @throws if the page lacks the markers.
 */
export function withBudgetTable(page: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no place for the budgets: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${budgetTable()}\n\n${page.slice(to)}`
}

function budgetTable(): string {
  const rows = Object.entries(budgets).map(([name, budget]) => rowOf(name, budget))
  return ['| budget | what is counted | at most | beyond it |', '|---|---|---|---|', ...rows].join('\n')
}

function rowOf(name: string, { counts, most, unit, beyond }: Budget): string {
  const number = most.toLocaleString('en-US')
  const amount = unit === 'items' ? number : `${number} ${unit}`
  return `| \`${name}\` | ${counts} | ${amount} | ${beyond} |`
}
