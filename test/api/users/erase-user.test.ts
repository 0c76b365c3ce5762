import t from 'tap'
import { until } from '../../http/until.js'
import { personExported } from '../../support/exports.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }
const forbidden = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
const owner = await server.person({ role: 100 })
const second = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const friend = await server.person()

const say = async (who: Person, content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'private', to: [friend.id], content })).id
const erasureOf = (id: number, params = {}) => owner.ok('GET', `/users/${id}/erasure`, params)
const isErased = (id: number) => until(async () => (await erasureOf(id)).state === 'none')

t.test('an owner erases a person; what it would remove is counted before, and nothing is found afterwards', async t => {
  const person = await server.person({ full_name: 'Zoe Zander' })
  const id = await say(person, 'kept')
  await person.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
  await person.ok('POST', '/saved_snippets', { title: 'x', content: 'y' })
  const { id: own } = await person.ok('POST', `/users/${person.id}/exports`)
  const { export_url } = await personExported(person, person.id, own)
  t.match(await erasureOf(person.id), {
    state: 'none',
    found: { reactions: 1, 'saved_snippets.user_id': 1, archives: 1, profile: 1 },
  })
  const ear = await Listener.start(server.ctx, friend)
  await owner.ok('POST', `/users/${person.id}/erase`)
  t.equal((await person.get('/users/me')).status, 401, 'access ends at once')
  await isErased(person.id)
  t.same(await erasureOf(person.id), { result: 'success', msg: '', state: 'none', found: {} })
  t.equal((await fetch(export_url)).status, 404, 'archives of its data are deleted')
  const name = `Deleted user ${person.id}`
  t.match(await friend.ok('GET', `/messages/${id}`), { message: { sender_full_name: name, content: '<p>kept</p>' } })
  t.match(
    (await ear.events(t)).filter(event => event.type === 'reaction'),
    [{ op: 'remove', message_id: id }],
  )
  t.match(await sql`select event, actor_id from audit_log where event like 'user/eras%' order by id`, [
    { event: 'user/erasure', actor_id: owner.id },
    { event: 'user/erased', actor_id: null },
  ])
  await owner.ok('POST', `/users/${person.id}/erase`)
  await isErased(person.id)
  t.same((await erasureOf(person.id)).found, {}, 'a second one finds nothing')
})

t.test('its messages are deleted on request', async t => {
  const person = await server.person()
  const id = await say(person, 'gone')
  t.notOk('messages' in (await erasureOf(person.id)).found)
  t.match((await erasureOf(person.id, { messages: 'delete' })).found, { messages: 1 })
  await owner.ok('POST', `/users/${person.id}/erase`, { messages: 'delete' })
  await isErased(person.id)
  t.match(await friend.get(`/messages/${id}`), refused)
  t.same((await erasureOf(person.id, { messages: 'delete' })).found, {})
})

t.test('it is refused to all but owners, of oneself, of unknown users, and in other words', async t => {
  const person = await server.person()
  for (const who of [admin, friend, await server.person({ role: 600 })]) {
    t.match(await who.post(`/users/${person.id}/erase`), forbidden)
    t.match(await who.get(`/users/${person.id}/erasure`), forbidden)
    t.match(await who.post('/users/999999/erase'), forbidden)
  }
  t.equal((await server.api(null).post(`/users/${person.id}/erase`)).status, 401)
  t.match(await owner.post(`/users/${owner.id}/erase`), refused)
  t.match(await owner.get(`/users/${owner.id}/erasure`), refused)
  t.match(await owner.post('/users/999999/erase'), { ...refused, body: { msg: 'No such user' } })
  for (const messages of ['all', '', 1]) {
    t.match(await owner.post(`/users/${person.id}/erase`, { messages }), refused)
    t.match(await owner.get(`/users/${person.id}/erasure`, { messages }), refused)
  }
  t.equal((await owner.post('/users/x/erase')).status, 404)
  t.equal((await person.get('/users/me')).status, 200, 'nothing has happened')
  t.equal((await sql`select from jobs where kind = 'erase-user'`).length, 0)
})

t.test('an owner erases another owner; the answer shows a job that gave up', async t => {
  await server.jobs.stop()
  await owner.ok('POST', `/users/${second.id}/erase`)
  t.equal((await erasureOf(second.id)).state, 'pending')
  await sql`update jobs set state = 'dead' where kind = 'erase-user'`
  t.equal((await erasureOf(second.id)).state, 'failed')
})
