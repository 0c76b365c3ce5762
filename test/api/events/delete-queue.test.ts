import t from 'tap'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const ann = await server.person()
const bob = await server.person()
const register = async () => (await ann.ok('POST', '/register', { fetch_event_types: [] })).queue_id as string

t.test('a deleted queue is gone, also for who waits for it', async t => {
  const queue_id = await register()
  const waiting = ann.get('/events', { queue_id, last_event_id: -1 })
  await new Promise(resolve => setTimeout(resolve, 50))
  t.same(await ann.ok('DELETE', '/events', { queue_id }), { result: 'success', msg: '' })
  t.match(await waiting, { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', queue_id } })
  const after = await ann.get('/events', { queue_id, last_event_id: -1 })
  t.match(after, { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', queue_id } })
  t.match(await ann.delete('/events', { queue_id }), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } })
})

t.test('a user cannot delete the queue of another user', async t => {
  const queue_id = await register()
  t.match(await bob.delete('/events', { queue_id }), { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', queue_id } })
  t.equal((await server.api(null).delete('/events', { queue_id })).status, 401)
  t.equal((await ann.get('/events', { queue_id, last_event_id: -1, dont_block: true })).status, 200)
})

t.test('the queue has to be named', async t => {
  t.match(await ann.delete('/events'), {
    status: 400,
    body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' },
  })
})
