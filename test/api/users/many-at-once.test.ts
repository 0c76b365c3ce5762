// An event about hundreds of users is one entry of the feed, and as many wire events with separate ids.
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { changeDirectory, limitGuests } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const count = 450

t.test('a guest of a large organization becomes a member, and a guest again', async t => {
  const owner = await server.person({ role: 100 })
  const guest = await server.person({ role: 600 })
  await limitGuests(sql)
  await changeDirectory(
    sql,
    (tx, version) => tx`
      insert into users (delivery_email, full_name, role, api_key, version)
      select 'many' || n || '@test.example', 'Many ' || n, 400, rpad(n::text, 32, 'k'), ${version}
      from generate_series(1, ${count}) as n`,
  )
  const ear = await Listener.start(ctx, guest)
  const about = (events: readonly { op: string; type: string; id: number }[], op: string) =>
    events.filter(event => event.type === 'realm_user' && event.op === op)

  await owner.ok('PATCH', `/users/${guest.id}`, { role: 400 })
  const gained = await ear.inStep(t)
  t.equal(about(gained as never, 'add').length, count + 1)
  await owner.ok('PATCH', `/users/${guest.id}`, { role: 600 })
  const lost = await ear.inStep(t)
  t.equal(about(lost as never, 'remove').length, count + 1)
  const ids = [...gained, ...lost].map(event => event.id)
  t.ok(
    ids.every((id, i) => i === 0 || id > (ids[i - 1] as number)),
    'ids rise strictly',
  )
})

t.test('a client that acknowledges in the middle is given the rest', async t => {
  const owner = await server.person({ role: 100 })
  const guest = await server.person({ role: 600 })
  const { queue_id } = await guest.ok('POST', '/register', { event_types: ['realm_user'], fetch_event_types: [] })
  await owner.ok('PATCH', `/users/${guest.id}`, { role: 400 })
  const read = async (last_event_id: number) => {
    const { events } = await guest.ok('GET', '/events', { queue_id, last_event_id, dont_block: true })
    return events as { id: number; op: string; person: { user_id: number } }[]
  }
  let all = await read(-1)
  while (all.length < count + 3) all = await read(-1)
  const rest = await read(all[99]?.id as number)
  t.same(
    rest.map(event => event.person.user_id),
    all.slice(100).map(event => event.person.user_id),
  )
})
