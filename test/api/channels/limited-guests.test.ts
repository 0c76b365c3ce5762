// If guests may not know all users, subscribing makes users visible to them, and unsubscribing hides them again.
import t from 'tap'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
await limitGuests(server.sql)

async function channelOf(people: Person[]): Promise<string> {
  const name = freshName()
  const principals = people.map(person => person.id)
  await people[0]?.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
  return name
}

const about = (events: Loose[], type: string): number[] =>
  events.filter(event => event.type === 'realm_user' && event.op === type).map(event => event.person.user_id)

const listen = (guest: Person) =>
  Listener.start(server.ctx, guest, {
    client_capabilities: { archived_channels: true, notification_settings_null: true, user_list_incomplete: true },
  })

t.test('a guest comes to know those in its new channel, after the subscription and before its peers', async t => {
  const [member, peer, guest] = [await server.person(), await server.person(), await server.person({ role: 600 })]
  const name = await channelOf([member, peer])
  const ear = await listen(guest)
  await member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [guest.id] })
  const events = await ear.inStep(t)
  t.same(kinds(events), ['stream/create', 'subscription/add', 'realm_user/add', 'realm_user/add'])
  t.same(about(events, 'add'), [member.id, peer.id])
  const late = await server.person()
  await late.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const later = await ear.inStep(t)
  t.same(kinds(later), ['realm_user/add', 'subscription/peer_add'])
  t.same(about(later, 'add'), [late.id])
})

t.test('a user who is visible already makes no second event, and stays visible while anything is shared', async t => {
  const [member, peer, guest] = [await server.person(), await server.person(), await server.person({ role: 600 })]
  await channelOf([member, guest])
  const second = await channelOf([member, peer])
  const ear = await listen(guest)
  await member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: second }], principals: [guest.id] })
  t.same(about(await ear.inStep(t), 'add'), [peer.id])
  await guest.ok('DELETE', '/users/me/subscriptions', { subscriptions: [second] })
  const events = await ear.inStep(t)
  t.same(about(events, 'remove'), [peer.id])
  t.same(events.at(-1)?.person.full_name, 'Unknown user')
})

t.test('members receive no such event', async t => {
  const [member, peer] = [await server.person(), await server.person()]
  const ear = await listen(member)
  const name = await channelOf([peer])
  await member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  t.same(about(await ear.inStep(t), 'add'), [])
})
