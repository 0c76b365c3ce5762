import t from 'tap'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { groupId, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
await setOrganization(sql, { send_channel_events_messages: false, enable_spectator_access: true })

/** One user of each kind, and a channel with the first ones as subscribers. */
async function scene(params: Loose = {}) {
  const people = {
    owner: await server.person({ role: 100 }),
    subscriber: await server.person(),
    subscribedGuest: await server.person({ role: 600 }),
    admin: await server.person({ role: 200 }),
    member: await server.person(),
    guest: await server.person({ role: 600 }),
  }
  const { owner, subscriber, subscribedGuest } = people
  const { id } = await owner.ok('POST', '/channels/create', {
    name: freshName(),
    subscribers: [owner, subscriber, subscribedGuest].map(person => person.id),
    ...params,
  })
  // No user's lists are empty, because empty lists do not show what the client requested.
  const everybody = Object.values(people).map(person => person.id)
  await owner.ok('POST', '/channels/create', { name: freshName(), subscribers: everybody })
  const ears = {} as Record<keyof typeof people, Listener>
  for (const [name, person] of Object.entries(people) as [keyof typeof people, Person][]) {
    ears[name] = await Listener.start(ctx, person)
  }
  const told = async () => {
    const found: Record<string, string[]> = {}
    for (const [name, ear] of Object.entries(ears)) found[name] = kinds(await ear.inStep(t))
    return found
  }
  return {
    id: id as number,
    people,
    ears,
    told,
    change: (change: Loose) => owner.ok('PATCH', `/streams/${id}`, change),
  }
}

const gains = ['stream/create', 'subscription/peer_add']
const updated = ['stream/update']

t.test('public made private: those outside lose it, but for administrators', async t => {
  const { id, people, ears, told, change } = await scene()
  await change({ is_private: true })
  t.same(await told(), {
    owner: updated,
    subscriber: updated,
    subscribedGuest: updated,
    admin: updated,
    member: ['stream/delete'],
    guest: [],
  })
  t.match(
    ears.subscriber.state.streams.find((one: Loose) => one.stream_id === id),
    {
      invite_only: true,
      history_public_to_subscribers: false,
      is_web_public: false,
    },
  )
  t.equal((await people.member.get(`/streams/${id}`)).status, 400)
  t.equal((await people.admin.get(`/streams/${id}`)).status, 200)
})

t.test('private made public: stream/create and peer_add to those who did not know it', async t => {
  const { id, people, told, change } = await scene({ invite_only: true })
  await change({ is_private: false })
  t.same(await told(), {
    owner: updated,
    subscriber: updated,
    subscribedGuest: updated,
    admin: updated,
    member: gains,
    guest: [],
  })
  t.match((await people.member.ok('GET', `/streams/${id}`)).stream, { history_public_to_subscribers: true })
})

t.test('opened to the web: guests know it, too, until it is closed again', async t => {
  const { told, change } = await scene()
  await change({ is_web_public: true })
  const all = { owner: updated, subscriber: updated, subscribedGuest: updated, admin: updated, member: updated }
  t.same(await told(), { ...all, guest: gains })
  await change({ is_web_public: false })
  t.same(await told(), { ...all, guest: ['stream/delete'] })
  await change({ is_private: false, is_web_public: true, description: 'Everything at once' })
  const both = ['stream/update', 'stream/update']
  t.same(await told(), {
    owner: both,
    subscriber: both,
    subscribedGuest: both,
    admin: both,
    member: both,
    guest: gains,
  })
})

t.test('shared or protected history is part of the same event', async t => {
  const { id, ears, told, change } = await scene({ invite_only: true })
  await change({ history_public_to_subscribers: true })
  t.same((await told()).subscriber, updated)
  const entry = () => ears.subscriber.state.subscriptions.find((one: Loose) => one.stream_id === id)
  t.equal(entry().history_public_to_subscribers, true)
  await change({ is_private: true })
  t.same((await told()).subscriber, updated)
  t.equal(entry().history_public_to_subscribers, false, 'private without a word of history is protected')
})

t.test('permissions that show a private channel', async t => {
  const { id, people, told, change } = await scene({ invite_only: true })
  const quiet = { owner: updated, subscriber: updated, subscribedGuest: updated, admin: updated, guest: [] }
  const nobody = await groupId(sql, 'role:nobody')
  const set = { direct_members: [people.member.id, people.guest.id], direct_subgroups: [] }
  for (const name of ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']) {
    await change({ [name]: { new: set } })
    t.same(await told(), { ...quiet, member: gains }, name)
    const content = (await people.member.get(`/users/me/${id}/topics`)).status
    t.equal(content, name === 'can_administer_channel_group' ? 400 : 200, `${name}: what it opens`)
    await change({ [name]: { new: nobody } })
    t.same(await told(), { ...quiet, member: ['stream/delete'] }, name)
  }
})

t.test('who loses and gains it again was never subscribed to it', async t => {
  const { people, ears, told, change, id } = await scene()
  await people.subscriber.ok('DELETE', '/users/me/subscriptions', {
    subscriptions: [ears.owner.state.streams.find((one: Loose) => one.stream_id === id).name],
  })
  await told()
  await change({ is_private: true })
  await change({ is_private: false })
  t.same((await told()).subscriber, ['stream/delete', ...gains])
  t.ok(ears.subscriber.state.never_subscribed.some((one: Loose) => one.stream_id === id))
})

t.test('a message of a channel that was made private stays with its subscribers', async t => {
  const { id, people, change } = await scene()
  const { owner, subscriber, member } = people
  const message = { type: 'channel', to: id, topic: 'a', content: 'Before' }
  const { id: before } = await owner.ok('POST', '/messages', message)
  await change({ is_private: true })
  t.equal((await member.get(`/messages/${before}`)).status, 400)
  t.equal((await subscriber.get(`/messages/${before}`)).status, 200)
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: (await owner.ok('GET', `/streams/${id}`)).stream.name }],
    principals: [member.id],
  })
  t.equal((await member.get(`/messages/${before}`)).status, 400, 'protected history: not what was before')
  await change({ history_public_to_subscribers: true })
  t.equal((await member.get(`/messages/${before}`)).status, 200)
})

t.test('a caller who reads while a channel becomes private never gets more than it may read', async t => {
  const { id, people, change } = await scene()
  for (let round = 0; round < 4; round++) {
    const isPrivate = round % 2 === 0
    const [, ...ears] = await Promise.all([
      change({ is_private: isPrivate }),
      ...Array.from({ length: 4 }, () => Listener.start(ctx, people.member)),
    ])
    for (const ear of ears) {
      await ear.inStep(t)
      t.equal(
        ear.state.streams.some((one: Loose) => one.stream_id === id),
        !isPrivate,
      )
    }
  }
})

t.test('a change takes as many statements for many subscribers as for few', async t => {
  const { people, change } = await scene()
  const count = async () => {
    await ctx.directory.fresh()
    const statements = await statementsOf(server, () =>
      change({ is_private: true, history_public_to_subscribers: true }),
    )
    await change({ is_private: false })
    return statements.filter(text => /subscriptions|channels/.test(text)).length
  }
  const few = await count()
  const more = await Promise.all(Array.from({ length: 12 }, () => server.person()))
  const { streams } = await people.owner.ok('GET', '/streams')
  const names = streams.slice(-2).map((one: Loose) => ({ name: one.name }))
  await people.owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: names,
    principals: more.map(person => person.id),
  })
  t.equal(await count(), few)
})
