import t from 'tap'
import { setColumns } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName, Listener, type Loose } from './scene.js'

const server = await startServer(t)

const subscribe = (who: Person, params: Loose): Promise<Loose> => who.ok('POST', '/users/me/subscriptions', params)

const reads = (person: Person) => Listener.start(server.ctx, person, { event_types: ['message', 'default_streams'] })

async function contents(listener: Listener): Promise<string[]> {
  return (await listener.events()).map(event => event.message.content)
}

t.test('a user who is subscribed by another user to an existing channel gets a direct message', async t => {
  const [caller, person] = [await server.person({ full_name: 'Caro Caller' }), await server.person()]
  const bot = await server.person({ bot_type: 1, bot_owner_id: caller.id })
  const [first, second] = [freshName(), freshName()]
  await subscribe(caller, { subscriptions: [{ name: first }, { name: second }] })
  const [ear, botEar, own] = [await reads(person), await reads(bot), await reads(caller)]
  const subscriptions = [{ name: first }, { name: second }]
  const principals = [person.id, bot.id, caller.id]
  const body = await subscribe(caller, { subscriptions, principals })
  t.equal(body.new_subscription_messages_sent, true)
  const [event] = await ear.events()
  t.match(event?.message, { type: 'private', sender_full_name: 'Notification Bot' })
  for (const word of [`@**Caro Caller|${caller.id}** subscribed you to`, first, second])
    t.match(event?.message.content, word)
  t.same(await contents(botEar), [], 'bots are not told')
  t.same(await contents(own), [], 'nor is the caller')
})

t.test(
  'there is no direct message about a new channel, about own subscriptions, or if the caller does not want one',
  async t => {
    const [caller, person] = [await server.person(), await server.person()]
    const ear = await reads(person)
    const name = freshName()
    await subscribe(caller, { subscriptions: [{ name }], principals: [person.id] })
    await subscribe(person, { subscriptions: [{ name: freshName() }] })
    const other = freshName()
    await subscribe(caller, { subscriptions: [{ name: other }] })
    const body = await subscribe(caller, {
      subscriptions: [{ name: other }],
      principals: [person.id],
      send_new_subscription_messages: false,
    })
    t.notOk('new_subscription_messages_sent' in body)
    t.same(await contents(ear), [])
  },
)

t.test('a subscription of more than a hundred users sends no notices', async t => {
  const caller = await server.person()
  const people = await Promise.all(Array.from({ length: 101 }, () => server.person()))
  const name = freshName()
  await subscribe(caller, { subscriptions: [{ name }] })
  const ear = await reads(people[0] as Person)
  const body = await subscribe(caller, { subscriptions: [{ name }], principals: people.map(person => person.id) })
  t.equal(body.new_subscription_messages_sent, false)
  t.same(await contents(ear), [])
})

t.test('public channels are announced where the organization wants it, private ones are not', async t => {
  const [caller, person] = [await server.person(), await server.person()]
  const place = freshName('news')
  await subscribe(caller, { subscriptions: [{ name: place }], principals: [caller.id, person.id] })
  const { stream_id } = await caller.ok('GET', '/get_stream_id', { stream: place })
  const set = (settings: Loose) => setColumns(server.sql, { settings })
  await set({ new_stream_announcements_stream_id: stream_id })
  t.teardown(() => set({}))
  const ear = await reads(person)
  const [open, closed, quiet] = [freshName('open'), freshName('closed'), freshName('quiet')]
  await subscribe(caller, { subscriptions: [{ name: closed }], invite_only: true, announce: true })
  await subscribe(caller, { subscriptions: [{ name: quiet }] })
  await subscribe(caller, { subscriptions: [{ name: open }], announce: true })
  const told = await contents(ear)
  t.equal(told.length, 1)
  t.match(told[0], open)
})

t.test('a new channel begins with a message where the organization wants it', async t => {
  const caller = await server.person()
  const set = (settings: Loose) => setColumns(server.sql, { settings })
  await set({ send_channel_events_messages: true })
  t.teardown(() => set({}))
  const ear = await reads(caller)
  await subscribe(caller, { subscriptions: [{ name: freshName() }] })
  const [event] = await ear.events()
  t.match(event?.message, { type: 'stream', subject: 'channel events' })
})
