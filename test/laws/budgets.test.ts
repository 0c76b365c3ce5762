import { readFileSync } from 'node:fs'
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { withBudgetTable } from '../../server/openapi/budget-table.js'

t.test('docs/security.md lists the budgets of the code', async t => {
  const page = readFileSync('docs/security.md', 'utf8')
  t.equal(page, withBudgetTable(page), 'npm run docs writes the table anew')
  for (const name of Object.keys(budgets)) t.ok(page.includes(`| \`${name}\` |`), name)
})

t.test('a page without a place for the table is refused', async t => {
  t.throws(() => withBudgetTable('# Security\n'), { message: /no place for the budgets/ })
})
