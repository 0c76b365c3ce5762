import t from 'tap'
import { roleDecisions } from './role-comparisons.js'
import { sourcesIn } from './sources.js'

t.test('only policies decide by roles and owners of bots', async t => {
  // The page decides nothing, the operator's commands may do everything, and SQL stores what was decided.
  const sources = sourcesIn(['server']).filter(({ path }) => !/^server\/(web|admin|demo|store)\//.test(path))
  t.ok(sources.length > 500, 'the source tree was found')
  t.same(roleDecisions(sources), [])
})

t.test('the law finds', async t => {
  const found = (text: string, path = 'server/api/x.ts') => roleDecisions([{ path, text }])
  for (const comparison of [
    'caller.role > administrator',
    'caller.role === guest',
    'a?.role !== 600',
    'role <= administrator',
    '200 >= user.role',
    'user.bot_owner_id === caller.id',
    'caller.id !== bot.bot_owner_id',
  ]) {
    t.match(found(`\nif (${comparison}) {}`), [/^server\/api\/x\.ts:2 decides/], comparison)
    t.same(found(`if (${comparison}) {}`, 'server/policies/x.ts'), [], 'allowed in policies')
  }
  t.match(found("import { guest, isGuest } from '../../policies/roles.js'"), [/x\.ts:1/])
})

t.test('the law leaves other code alone', async t => {
  for (const code of [
    'if (user.role !== before.role) {}',
    'if (role !== undefined && role !== user.role) {}',
    'if (user.bot_owner_id !== null) {}',
    'const row = { role: member, bot_owner_id: null }',
    '// user.role === guest',
  ]) {
    t.same(roleDecisions([{ path: 'server/api/x.ts', text: code }]), [], code)
  }
})
