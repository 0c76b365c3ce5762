import t from 'tap'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const register = async (person: Person, params: Record<string, unknown> = {}): Promise<string> =>
  (await person.ok('POST', '/register', { fetch_event_types: [], ...params })).queue_id
const ann = await server.person()
const bob = await server.person()
/** An event for Ann. */
const renamed = (full_name: string) =>
  server.ctx.write(async (_tx, emit) => emit(realmUserUpdate, { person: { user_id: bob.id, full_name } }, [ann.id]))

t.test('a poll waits for the next event, and carries all that is due', async t => {
  const queue_id = await register(ann)
  const waiting = ann.get('/events', { queue_id, last_event_id: -1 })
  await renamed('Bob the First')
  const first = await waiting
  t.equal(first.status, 200)
  t.match(first.body, { result: 'success', msg: '', queue_id, events: [{ type: 'realm_user', op: 'update' }] })

  await renamed('Bob the Second')
  await renamed('Bob the Third')
  const last_event_id = first.body.events.at(-1).id
  const names: string[] = []
  let after = last_event_id
  while (names.length < 2) {
    const { body } = await ann.get('/events', { queue_id, last_event_id: after })
    for (const event of body.events) {
      t.ok(event.id > after, 'ids rise')
      after = event.id
      names.push(event.person.full_name)
    }
  }
  t.same(names, ['Bob the Second', 'Bob the Third'])
})

t.test('a queue without state starts after what was written before its request', async t => {
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 10 }, (_, n) => renamed(`Earlier ${n}`)))
    const queue_id = await register(ann)
    await renamed('Later')
    const { body } = await ann.get('/events', { queue_id, last_event_id: -1 })
    t.same(
      body.events.map((event: { person: { full_name: string } }) => event.person.full_name),
      ['Later'],
    )
  }
})

t.test('what is not acknowledged comes again; what is, never', async t => {
  const queue_id = await register(ann)
  await renamed('Bob Again')
  const first = await ann.get('/events', { queue_id, last_event_id: -1 })
  const again = await ann.get('/events', { queue_id, last_event_id: -1 })
  t.same(again.body.events, first.body.events)
  const { id } = first.body.events.at(-1)
  t.same((await ann.get('/events', { queue_id, last_event_id: id, dont_block: true })).body.events, [])
  const back = await ann.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  t.match(back, { status: 400, body: { code: 'BAD_REQUEST' } })
})

t.test('dont_block answers at once, also with nothing', async t => {
  const queue_id = await register(ann)
  t.match(await ann.get('/events', { queue_id, last_event_id: -1, dont_block: true }), {
    status: 200,
    body: { events: [], queue_id },
  })
})

t.test('a second poll on a queue ends the first', async t => {
  const queue_id = await register(ann)
  // Either poll may end first.
  const polls = [0, 1].map(() => ann.get('/events', { queue_id, last_event_id: -1 }))
  const [ended, index] = await Promise.race(polls.map(async (poll, i) => [await poll, i] as const))
  t.match(ended, { status: 200, body: { events: [] } })
  await renamed('Bob for the second')
  t.equal((await polls[1 - index])?.body.events.length, 1)
})

t.test('a poll whose caller leaves does not take the next event away', async t => {
  const queue_id = await register(ann)
  const leaving = new AbortController()
  const gone = ann.get('/events', { queue_id, last_event_id: -1 }, leaving.signal)
  await new Promise(resolve => setTimeout(resolve, 50))
  leaving.abort()
  await t.rejects(gone)
  await renamed('Bob unheard')
  t.equal((await ann.get('/events', { queue_id, last_event_id: -1 })).body.events.length, 1)
})

t.test('an unknown queue and that of another account are the same refusal', async t => {
  const queue_id = await register(ann)
  for (const [who, id] of [
    [ann, 'nonsense'],
    [ann, ''],
    [bob, queue_id],
  ] as const) {
    const { status, body } = await who.get('/events', { queue_id: id, last_event_id: -1 })
    t.equal(status, 400)
    t.match(body, { result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id: id })
    t.match(body.msg, /^Bad event queue id: /i)
  }
})

t.test('an id that the queue never issued is refused', async t => {
  const queue_id = await register(ann)
  t.match(await ann.get('/events', { queue_id, last_event_id: 5, dont_block: true }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
})

t.test('missing parameters are named in words only', async t => {
  const queue_id = await register(ann)
  for (const params of [{}, { queue_id }, { last_event_id: -1 }]) {
    const { status, body } = await ann.get('/events', params)
    t.equal(status, 400)
    t.equal(body.code, 'BAD_REQUEST')
    t.notOk('var_name' in body)
  }
  for (const last_event_id of ['x', '1.5', '-2']) {
    t.match(await ann.get('/events', { queue_id, last_event_id }), { status: 400, body: { code: 'BAD_REQUEST' } })
  }
})

t.test('without an account there is nothing to read', async t => {
  t.equal((await server.api(null).get('/events', { queue_id: 'x', last_event_id: -1 })).status, 401)
})
