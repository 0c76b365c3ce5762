import t from 'tap'
import { hashPassword } from '../../server/auth/passwords.js'
import { insertAuditEntries, pruneAuditLog, readAuditLog } from '../../server/store/organization/audit-log.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { SIGN_IN_LIMIT_ADDRESS: '8' })
const owner = await server.person({ role: 100 })
const entries = async () => (await readAuditLog(server.sql, { limit: 1000 })).reverse()
/** The entries that the work adds to the log. */
async function left(work: () => Promise<unknown>) {
  const before = (await entries()).at(-1)?.id ?? 0
  await work()
  return (await entries()).filter(({ id }) => id > before)
}

t.test('a change of role: who, what, before and after, from where', async t => {
  const person = await server.person()
  const rows = await left(() => owner.ok('PATCH', `/users/${person.id}`, { role: 300 }))
  t.match(rows, [
    {
      actor_id: owner.id,
      operation: 'update_user',
      address: '127.0.0.1',
      event: 'realm_user/update',
      subject: { user_id: person.id },
      before: { role: 400 },
      after: { role: 300 },
    },
  ])
  t.equal(rows.length, 1, 'groups that follow from the role have no rows of their own')
  t.ok(rows[0]?.request_id)
  t.ok(Math.abs(Number(rows[0]?.at) - Date.now()) < 60_000)
})

t.test('who is deactivated', async t => {
  const person = await server.person()
  t.match(await left(() => owner.ok('DELETE', `/users/${person.id}`)), [
    { actor_id: owner.id, event: 'realm_user/update', subject: { user_id: person.id }, after: { is_active: false } },
  ])
})

t.test('a new API key is recorded, but nothing of the key', async t => {
  const person = await server.person()
  const { api_key } = await person.ok('POST', '/users/me/api_key/regenerate')
  const rows = (await entries()).filter(({ actor_id }) => actor_id === person.id)
  t.match(rows, [{ operation: 'regenerate_own_api_key', event: '_revoked', subject: { user_id: person.id } }])
  const all = JSON.stringify(await entries())
  t.notOk(all.includes(api_key))
  t.notOk(all.includes(person.api_key))
})

t.test('a new password is recorded, but nothing of the password; a refused one leaves nothing', async t => {
  const person = await server.person()
  const [first, next] = ['open sesame, please', 'seven tall wooden boats']
  await server.sql`update users set password_hash = ${await hashPassword(first)} where id = ${person.id}`
  const rows = await left(async () => {
    t.equal((await person.patch('/settings', { old_password: 'no', new_password: next })).status, 400)
    t.equal((await person.patch('/settings', { old_password: first, new_password: 'x' })).status, 400)
    await person.ok('PATCH', '/settings', { old_password: first, new_password: next })
  })
  t.match(rows, [
    {
      actor_id: person.id,
      operator: '',
      operation: 'update_settings',
      address: '127.0.0.1',
      event: 'password_change',
      subject: { user_id: person.id },
      after: { password: 'changed' },
    },
  ])
  t.equal(rows.length, 1)
  t.notMatch(JSON.stringify(rows), /sesame|boats|argon/)
})

t.test('groups and channels', async t => {
  const member = await server.person()
  const { group_id } = await owner.ok('POST', '/user_groups/create', {
    name: 'team',
    description: '',
    members: [owner.id],
  })
  const rows = await left(async () => {
    await owner.ok('POST', `/user_groups/${group_id}/members`, { add: [member.id] })
    await owner.ok('PATCH', `/user_groups/${group_id}`, { name: 'crew' })
  })
  t.match(rows, [
    { event: 'user_group/add_members', subject: { group_id }, after: { added: { user_ids: [member.id] } } },
    { event: 'user_group/update', subject: { group_id }, before: { name: 'team' }, after: { name: 'crew' } },
  ])

  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'kitchen' })
  const changes = await left(() => owner.ok('PATCH', `/streams/${stream_id}`, { is_private: true }))
  t.match(changes, [
    { event: 'stream/update', subject: { stream_id }, before: { invite_only: false }, after: { invite_only: true } },
  ])
})

t.test('what is refused, or changes nothing, leaves nothing', async t => {
  const person = await server.person()
  const rows = await left(async () => {
    t.equal((await person.patch(`/users/${owner.id}`, { role: 600 })).status, 400)
    t.equal((await person.delete(`/users/${owner.id}`)).status, 400)
    t.equal((await person.patch('/user_groups/1', { name: 'mine' })).status, 400)
    await owner.ok('PATCH', `/users/${person.id}`, { role: 400 })
    await person.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: 'secret words' })
    await person.ok('PATCH', '/settings', { twenty_four_hour_time: true })
  })
  t.same(rows, [])
})

t.test('a change and its row are there together or not at all', async t => {
  const person = await server.person()
  await server.sql`alter table audit_log add constraint closed check (false) not valid`
  t.equal((await owner.patch(`/users/${person.id}`, { role: 300 })).status, 500)
  await server.sql`alter table audit_log drop constraint closed`
  const [row] = await server.sql<{ role: number }[]>`select role from users where id = ${person.id}`
  t.equal(row?.role, 400)
})

t.test('who guesses passwords is noted once, with the name and without the password', async t => {
  const person = await server.person()
  const api = server.api(null)
  const rows = await left(async () => {
    for (let i = 0; i < 8; i++) {
      const { status, headers } = await api.post('/fetch_api_key', {
        username: person.email,
        password: `wrong horse ${i}`,
      })
      t.equal(status, i < 5 ? 401 : 429)
      if (i >= 5) t.ok(Number(headers.get('retry-after')) > 1000)
    }
  })
  t.match(rows, [{ actor_id: null, event: 'sign_in_limit', address: '127.0.0.1', subject: { name: person.email } }])
  t.equal(rows.length, 1)
  t.notOk(JSON.stringify(rows).includes('horse'))
  t.equal((await person.get('/users/me')).status, 200, 'a right key is not shut out with the name')
})

t.test('many names from one address are one guesser', async t => {
  const api = server.api(null)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    statuses.push((await api.post('/fetch_api_key', { username: `nobody${i}@example.org`, password: 'x' })).status)
  }
  t.equal(statuses.at(-1), 429, 'five were wrong in the test before')
  t.ok(statuses.filter(status => status === 401).length <= 3)
})

t.test('old rows are deleted, new ones stay', async t => {
  const kept = (await entries()).length
  const old = {
    actor_id: null,
    operation: 'test',
    request_id: '',
    address: '',
    event: 'old',
    subject: {},
    before: null,
    after: null,
  }
  await insertAuditEntries(
    server.sql,
    Array.from({ length: 1500 }, () => old),
  )
  await server.sql`update audit_log set at = now() - interval '400 days' where event = 'old'`
  const before = new Date(Date.now() - 365 * 86_400_000)
  t.equal(await pruneAuditLog(server.sql, before), 1000)
  t.equal(await pruneAuditLog(server.sql, before), 500)
  t.equal((await entries()).length, kept)
})

t.test('the log is read by who, by what and in pages', async t => {
  const [newest] = await readAuditLog(server.sql, { limit: 1 })
  t.ok(
    (await readAuditLog(server.sql, { limit: 5, before: newest?.id ?? 0 })).every(({ id }) => id < Number(newest?.id)),
  )
  t.ok(
    (await readAuditLog(server.sql, { limit: 100, actorId: owner.id })).every(({ actor_id }) => actor_id === owner.id),
  )
  t.ok((await readAuditLog(server.sql, { limit: 100, event: '_revoked' })).every(({ event }) => event === '_revoked'))
  t.same(await readAuditLog(server.sql, { limit: 100, since: new Date(Date.now() + 60_000) }), [])
})
