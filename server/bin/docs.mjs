import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, dist, install, root } from './prepare.mjs'
import { useSupportedNode } from './supported-node.mjs'

await useSupportedNode()
await install()
if (!(await build())) process.exit(1)
const { withBudgetTable } = await import(join(dist, 'server', 'openapi', 'budget-table.js'))
const { withIntegrations } = await import(join(dist, 'server', 'openapi', 'integrations-page.js'))
for (const [name, written] of [
  ['security.md', withBudgetTable],
  ['integrations.md', withIntegrations],
]) {
  const page = join(root, 'docs', name)
  writeFileSync(page, written(readFileSync(page, 'utf8')))
}
