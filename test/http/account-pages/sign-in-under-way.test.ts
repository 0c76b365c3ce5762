import t from 'tap'
import { logOutByProvider } from '../../../server/actions/sign-in/log-out-by-provider.js'
import { hashPassword } from '../../../server/auth/passwords.js'
import { beginSession } from '../../../server/auth/sessions.js'
import { deleteSessionsOf } from '../../../server/store/accounts/sessions.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { startServer } from '../../support/server.js'
import { until } from '../until.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })

t.test('a sign-in that is under way while the sessions of the account end begins none', async t => {
  const person = await server.person()
  await server.sql`update users set password_hash = ${await hashPassword('the old one')} where id = ${person.id}`
  const signIn = () =>
    fetch(`${server.url}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Accept: 'text/html', Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ username: person.email, password: 'the old one' }),
    })
  const sessions = () => server.sql`select from sessions where user_id = ${person.id}`
  t.equal((await signIn()).status, 302)
  t.equal((await sessions()).length, 1)
  let late: ReturnType<typeof signIn> | undefined
  await server.sql.begin(async tx => {
    await tx`select from users where id = ${person.id} for update`
    const asked = signIn()
    late = asked
    let isAnswered = false
    void asked.then(() => {
      isAnswered = true
    })
    // The password was right, and the session waits for this transaction. Not asked by the transaction itself, to which activity looks always the same.
    await until(async () => {
      if (isAnswered) throw new Error(`answered with ${(await asked).status}`)
      const waiting = await server.sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%insert into sessions%' and datname = current_database()`
      return waiting.length > 0
    })
    // Not before: a sign-in asks for the version, and would wait for this transaction.
    await deleteSessionsOf(tx, [person.id], await bumpVersion(tx))
  })
  const refused = await late
  t.equal(refused?.headers.get('set-cookie'), null)
  t.same(await sessions(), [])
  t.equal((await signIn()).status, 302, 'a later one is a new sign-in')
})

t.test('so does each way that ends the sessions of an account', async t => {
  const { ctx } = server
  const ways: Record<string, (id: number) => Promise<unknown>> = {
    'a logout at the provider': async id => {
      await server.sql`insert into identities (provider, subject, user_id) values ('oidc:company', ${`s${id}`}, ${id})`
      await logOutByProvider(ctx, { provider: 'oidc:company', subject: `s${id}` }, false)
    },
    'an administrator': id => owner.ok('DELETE', `/users/${id}/sessions`),
  }
  for (const [name, end] of Object.entries(ways)) {
    const person = await server.person()
    await ctx.directory.fresh()
    const place = { method: 'oidc:company', address: '::1', userAgent: '' }
    const early = { ...place, since: ctx.directory.organization.version }
    await end(person.id)
    await t.rejects(beginSession(ctx, person, early), { code: 'AUTHENTICATION_FAILED' }, name)
    const since = ctx.directory.organization.version
    t.ok(await beginSession(ctx, person, { ...place, since }), name)
  }
})
