// Users become visible to a restricted guest when they send it a message.
import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

const server = await startServer(t)
await limitGuests(server.sql)
const added = (events: Loose[]) => events.flatMap(event => (event.op === 'add' ? (event.person?.user_id ?? []) : []))
const write = (from: Person, ...to: Person[]) =>
  from.ok('POST', '/messages', { type: 'direct', to: to.map(person => person.id), content: 'hello' })

t.test('the first message introduces its sender, the next ones do not', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const ear = await Listener.start(server.ctx, guest)
  await write(member, guest)
  const events = await ear.inStep(t)
  t.same(kinds(events), ['realm_user/add', 'message'])
  t.same(added(events), [member.id])
  await write(member, guest)
  t.same(kinds(await ear.inStep(t)), ['message'])
})

t.test('in a group conversation each guest gets the users that it did not see before', async t => {
  const [member, friend] = [await server.person(), await server.person()]
  const [one, other] = [await server.person({ role: 600 }), await server.person({ role: 600 })]
  await createChannel(server.sql, 'friends', [friend.id, one.id])
  const ears = [await Listener.start(server.ctx, one), await Listener.start(server.ctx, other)] as const
  const bystander = await Listener.start(server.ctx, member)
  await write(member, friend, one, other)
  t.same(added(await ears[0].inStep(t)).sort(), [member.id, other.id].sort())
  t.same(added(await ears[1].inStep(t)).sort(), [member.id, friend.id, one.id].sort())
  t.same(kinds(await bystander.inStep(t)), ['message'])
})

t.test('two users who type at once make one event each', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const ear = await Listener.start(server.ctx, guest)
  await Promise.all([write(member, guest), write(member, guest), write(member, guest)])
  t.same(added(await ear.inStep(t)), [member.id])
})
