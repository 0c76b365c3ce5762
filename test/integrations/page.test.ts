import { readFileSync } from 'node:fs'
import t from 'tap'
import { integrations } from '../../server/integrations/index.js'
import { withIntegrations } from '../../server/openapi/integrations-page.js'

t.test('docs/integrations.md says how each service is set up', async t => {
  const page = readFileSync('docs/integrations.md', 'utf8')
  t.equal(page, withIntegrations(page), 'npm run docs writes it again')
  for (const name of integrations.keys()) t.ok(page.includes(`\`/api/v1/external/${name}\``), name)
  t.throws(() => withIntegrations('# Integrations\n'), { message: /no place for the integrations/ })
})
