import t from 'tap'
import { z } from 'zod'
import { routes } from '../../server/api/index.js'

// Fields that hold what opens an account, a door to one, or what a bot keeps.
const secrets = /"(?:api_key|secret|invite_link|link_url|storage)":|"recovery_codes":\{"type":"array"/

t.test('an answer with credentials is declared as secret, so that it is never compressed', async t => {
  const found = routes.filter(({ returns }) =>
    secrets.test(JSON.stringify(z.toJSONSchema(returns, { io: 'input', unrepresentable: 'any' }))),
  )
  t.ok(found.length >= 6, 'fields with credentials were found')
  t.same(
    found.filter(({ isSecret }) => !isSecret).map(({ operation }) => operation),
    [],
  )
})
