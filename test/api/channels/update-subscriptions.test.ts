import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
const update = (who: Person, params: Loose) => who.call('PATCH', '/users/me/subscriptions', params)

async function channel(params: Loose = {}): Promise<string> {
  const name = freshName()
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  return name
}

t.test('one request joins, makes and leaves channels', async t => {
  const person = await server.person()
  const [left, joined, made] = [await channel(), await channel(), freshName()]
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: left }] })
  const ear = await Listener.start(server.ctx, person)
  const { body } = await update(person, {
    add: [
      { name: joined, color: '#123456' },
      { name: made, description: 'new' },
    ],
    delete: [left.toUpperCase()],
  })
  t.match(body, {
    subscribed: { [person.id]: [joined, made] },
    already_subscribed: {},
    removed: [left],
    not_removed: [],
  })
  t.ok(kinds(await ear.inStep(t)).includes('subscription/remove'))
  const { subscriptions } = await person.ok('GET', '/users/me/subscriptions')
  t.same(subscriptions.map((one: Loose) => one.name).sort(), [joined, made].sort())
  const again = await update(person, { add: [{ name: joined }], delete: [left] })
  t.match(again.body, {
    subscribed: {},
    already_subscribed: { [person.id]: [joined] },
    removed: [],
    not_removed: [left],
  })
})

t.test('what is refused changes nothing', async t => {
  const person = await server.person()
  const guest = await server.person({ role: 600 })
  const [own, closed] = [await channel(), await channel({ invite_only: true })]
  await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: own }] })
  const ear = await Listener.start(server.ctx, person)
  for (const params of [
    {},
    { add: [], delete: [] },
    { add: [{ name: freshName() }], delete: ['no such channel'] },
    { add: [{ name: closed }], delete: [own] },
    { add: [{ name: '' }], delete: [own] },
    { add: [{ name: freshName(), color: 'red' }] },
    { add: 'x' },
    { delete: [1] },
    { delete: [closed] },
  ]) {
    t.match(await update(person, params), bad, JSON.stringify(params))
  }
  t.match(await update(guest, { add: [{ name: own }] }), bad)
  t.same(await ear.inStep(t), [])
  const { subscriptions } = await person.ok('GET', '/users/me/subscriptions')
  t.same(
    subscriptions.map((one: Loose) => one.name),
    [own],
  )
})
