import t from 'tap'
import { insertAuditEntries } from '../../../server/store/audit-log.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
const run = (...args: string[]) => runAdmin(server.organization, args)

t.test('the audit log contains what commands and accounts did', async t => {
  const [owner, person] = [await server.person({ role: 100 }), await server.person()]
  const made = { operation: 'create_user_group', request_id: '', address: '', event: 'user_group/add' }
  const entry = { ...made, actor_id: owner.id, subject: { group_id: 9 }, before: null, after: { name: 'crew' } }
  await insertAuditEntries(server.sql, [entry])
  t.equal((await run('user', 'change', person.email, '--role', 'moderator')).code, 0)
  const listed = await run('audit', 'list', '--json')
  t.equal(listed.code, 0, listed.stderr)
  const rows: Loose[] = JSON.parse(listed.stdout)
  t.match(rows, [
    {
      operation: 'admin',
      actor: null,
      event: 'realm_user/update',
      subject: { user_id: person.id },
      after: { role: 300 },
    },
    { ...entry, actor: owner.email },
  ])
  const page = await run('audit', 'list', '--before', String(rows[0]?.id), '--limit', '1', '--by', owner.email)
  t.match(page.stdout, new RegExp(`${owner.email} .*user_group/add .*crew`))
})

t.test('an impossible command gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [1, 'list', '--by', 'nobody@test.example'],
    [2, 'list', '--since', 'yesterday'],
    [2, 'list', '--before', 'x'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run('audit', ...args)
    t.match({ code, stdout, stderr }, { code: wanted, stdout: '', stderr: /^[^\n]+\n$/ }, args.join(' '))
  }
})
