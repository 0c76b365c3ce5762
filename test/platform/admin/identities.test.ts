import t from 'tap'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
await server.person({ role: 100 })
const [ada, ben] = [await server.person(), await server.person()]
const run = (...args: string[]) => runAdmin(server.organization, ['user', 'identities', ...args])
const refused = { code: 1, stdout: '', stderr: /^[^\n]+\n$/ }

t.test('a link is made, listed and removed, which ends sessions', async t => {
  t.equal((await run('link', ada.email, 'oidc:company', 'ada at company')).code, 0)
  t.match(JSON.parse((await run('list', ada.email, '--json')).stdout), [
    { provider: 'oidc:company', subject: 'ada at company', date_linked: String },
  ])
  t.match(await run('link', ben.email, 'oidc:company', 'ada at company'), refused, 'the person has an account')
  t.match(await run('link', ada.email, 'oidc:company', 'another'), refused, 'the account has a person there')
  t.match(await run('link', ada.email, 'saml:x', 'another'), refused)
  await server.sql`
    insert into sessions (user_id, token_hash, method, device, address) values (${ada.id}, 'x', 'oidc:company', '', '')`
  t.equal((await run('unlink', ada.email, 'oidc:company', '--yes')).code, 0)
  t.same(await server.sql`select from sessions`, [])
  t.match(await run('unlink', ada.email, 'oidc:company', '--yes'), refused)
  t.equal((await run('link', ben.email, 'oidc:company', 'ada at company')).code, 0)
  const audited = await server.sql`select after from audit_log where event = 'identity_link'`
  t.equal(audited.length, 3)
})
