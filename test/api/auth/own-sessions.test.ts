import t from 'tap'
import { Browser, givePassword } from '../../support/browser.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const [ann, bob] = [await server.person(), await server.person()]
await givePassword(server.sql, ann, bob)
const signedIn = (person: Person) => new Browser(server.url).signIn(person)
const list = async (person: Person) => (await person.ok('GET', '/users/me/sessions')).sessions

t.test('the sessions of others are neither listed nor ended', async t => {
  const his = await signedIn(bob)
  const [{ id }] = await list(bob)
  t.same(await list(ann), [])
  t.match(await ann.delete(`/users/me/sessions/${id}`), { status: 400, body: { code: 'BAD_REQUEST' } })
  await ann.ok('DELETE', '/users/me/sessions')
  t.match(await his.json('GET', '/users/me'), { status: 200 })
  for (const wrong of ['x', '-1', '99999999999999999999']) {
    t.match(await bob.delete(`/users/me/sessions/${wrong}`), { status: /^40[045]$/ }, wrong)
  }
})

t.test('a session is listed with its place, and ended', async t => {
  const [page, away] = [await signedIn(ann), await signedIn(ann)]
  const { sessions } = (await page.json('GET', '/users/me/sessions')).body
  t.match(sessions, [
    { is_current: false },
    { is_current: true, device: 'Firefox, Linux', method: 'password', address: '127.0.0.1' },
  ])
  t.ok(sessions.every((one: { created: number; last_used: number }) => one.created <= one.last_used))
  t.notMatch(JSON.stringify(sessions), /token|hash/)
  await ann.ok('DELETE', `/users/me/sessions/${sessions[0].id}`)
  t.match(await away.json('GET', '/users/me'), { status: 401 })
  t.match(await page.json('GET', '/users/me'), { status: 200 })
  t.match(await page.json('DELETE', `/users/me/sessions/${sessions[0].id}`), { status: 400 }, 'it has ended')
  const [entry] = await server.sql`
    select actor_id, operation, subject, after from audit_log where operation = 'end_own_session' order by id desc limit 1`
  t.match(entry, { actor_id: ann.id, subject: { user_id: ann.id }, after: { sessions: 'ended' } })
})

t.test('a page ends all sessions but its own; a program ends all', async t => {
  const [page, away] = [await signedIn(bob), await signedIn(bob)]
  t.match(await page.json('DELETE', '/users/me/sessions'), { status: 200 })
  t.match(await away.json('GET', '/users/me'), { status: 401 })
  t.match(await page.json('GET', '/users/me'), { status: 200 })
  await bob.ok('DELETE', '/users/me/sessions')
  t.match(await page.json('GET', '/users/me'), { status: 401 })
  t.same(await list(bob), [])
  t.match(await bob.get('/users/me'), { status: 200 }, 'the key stays')
})
