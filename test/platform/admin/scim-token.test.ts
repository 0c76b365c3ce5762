import t from 'tap'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
await server.person({ role: 100 })
const run = (...args: string[]) => runAdmin(server.organization, ['scim', 'token', ...args])

const statusFor = async (token: string) => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${server.url}/scim/v2/Users`, { headers })).status
}

t.test('a token is made, used, listed without itself, and revoked', async t => {
  const { stdout } = await run('create', 'Entra ID')
  const token = stdout.trim()
  t.equal(await statusFor(token), 200)
  const second = JSON.parse((await run('create', 'okta', '--may-change-owners', '--json')).stdout)
  t.match(second, { name: 'okta', may_change_owners: true })
  const list = await run('list', '--json')
  t.notOk(list.stdout.includes(token))
  const [first, other] = JSON.parse(list.stdout)
  t.match(first, { name: 'Entra ID', may_change_owners: false, last_used: String })
  t.match(other, { name: 'okta', may_change_owners: true, last_used: null })
  t.equal((await run('revoke', 'Entra ID', '--yes')).code, 0)
  t.equal(await statusFor(token), 401)
  t.equal(await statusFor(second.token), 200)
  const audited = await server.sql`select subject from audit_log where event = 'scim_token' order by id`
  t.same(
    audited.map(row => row.subject.name),
    ['Entra ID', 'okta', 'Entra ID'],
  )
  for (const args of [
    ['create', 'okta'],
    ['create', ' '],
    ['revoke', 'Entra ID', '--yes'],
  ]) {
    t.match(await run(...args), { code: 1, stdout: '', stderr: /^[^\n]+\n$/ }, args.join(' '))
  }
})
