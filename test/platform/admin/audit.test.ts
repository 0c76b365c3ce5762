import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { insertAuditEntries } from '../../../server/store/organization/audit-log.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { runAdmin, runWith } from './run-admin.js'

const server = await startServer(t)
const run = (...args: string[]) => runAdmin(server.organization, args)

t.test('the audit log contains what commands and accounts did', async t => {
  const [owner, person] = [await server.person({ role: 100 }), await server.person()]
  const made = { operation: 'create_user_group', request_id: '', address: '192.0.2.7', event: 'user_group/add' }
  const entry = { ...made, actor_id: owner.id, subject: { group_id: 9 }, before: null, after: { name: 'crew' } }
  await insertAuditEntries(server.sql, [entry])
  t.equal((await run('user', 'change', person.email, '--role', 'moderator')).code, 0)
  const listed = await run('audit', 'list', '--json')
  t.equal(listed.code, 0, listed.stderr)
  const rows: Loose[] = JSON.parse(listed.stdout)
  t.match(rows, [
    {
      operation: 'admin',
      operator: userInfo().username,
      actor: null,
      event: 'realm_user/update',
      subject: { user_id: person.id },
      after: { role: 300 },
    },
    { ...entry, actor: owner.email },
  ])
  const page = await run('audit', 'list', '--before', String(rows[0]?.id), '--limit', '1', '--by', owner.email)
  t.match(page.stdout, new RegExp(`${owner.email} +192\\.0\\.2\\.7 .*user_group/add .*crew`))
})

t.test('commands are recorded with the user of the operating system that ran them', async t => {
  const person = await server.person()
  const folder = await mkdtemp(join(tmpdir(), 'parley-audit-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'all.jsonl')
  const asRoot = { ...server.organization.env(), SUDO_USER: 'alice' }
  const commands = [
    ['user', 'password', person.email, '--yes'],
    ['user', 'unlock', person.email],
    ['export', '--with-secrets', file],
    ['export', join(folder, 'absent', 'file')],
  ]
  const codes = []
  for (const args of commands) codes.push((await runWith(asRoot, args)).code)
  t.same(codes, [0, 0, 0, 1])
  const listed = await run('audit', 'list', '--limit', '4')
  t.same(listed.stdout.match(/operator alice/g)?.length, 4)
  const rows: Loose[] = JSON.parse((await run('audit', 'list', '--limit', '4', '--json')).stdout)
  const who = { operation: 'admin', operator: 'alice', actor: null }
  t.match(rows.reverse(), [
    { ...who, event: 'password_change', subject: { user_id: person.id } },
    { ...who, event: 'sign_in_unlock', subject: { user_id: person.id } },
    { ...who, event: 'export', subject: { file, with_secrets: true } },
    { ...who, event: 'export', subject: { with_secrets: false } },
  ])
})

t.test('an impossible command gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [1, 'list', '--by', 'nobody@test.example'],
    [2, 'list', '--since', 'yesterday'],
    [2, 'list', '--since', '2026-02-30'],
    [2, 'list', '--before', 'x'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run('audit', ...args)
    t.match({ code, stdout, stderr }, { code: wanted, stdout: '', stderr: /^[^\n]+\n$/ }, args.join(' '))
  }
})
