import t from 'tap'
import type { Person } from '../../support/people.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, refused, say, setChannel, setRealm } from '../messages/scene.js'

const server = await startServer(t)

t.test('topics come newest first, once each, under their newest name', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author])
  await say(author, channel.id, 'x', 'Cats')
  const empty = await say(author, channel.id, 'x', '')
  const dogs = await say(author, channel.id, 'x', 'dogs')
  const cats = await say(author, channel.id, 'x', 'cats')
  const get = (params = {}) => reader.ok('GET', `/users/me/${channel.id}/topics`, params)
  t.same((await get()).topics, [
    { name: 'cats', max_id: cats },
    { name: 'dogs', max_id: dogs },
    { name: 'general chat', max_id: empty },
  ])
  t.equal((await get({ allow_empty_topic_name: true })).topics[2].name, '')
  t.same((await reader.ok('GET', `/users/me/${(await channelOf([author])).id}/topics`)).topics, [])
})

t.test('with protected history only topics of what one received, for a bot too', async t => {
  const [owner, late] = await people(server, 2)
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const channel = await channelOf([owner], { invite_only: true, history_public_to_subscribers: false })
  await say(owner, channel.id, 'x', 'before')
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [late.id, bot.id],
    send_new_subscription_messages: false,
  })
  const id = await say(owner, channel.id, 'x', 'after')
  for (const reader of [late, bot]) {
    t.same((await reader.ok('GET', `/users/me/${channel.id}/topics`)).topics, [{ name: 'after', max_id: id }])
  }
  t.equal((await owner.ok('GET', `/users/me/${channel.id}/topics`)).topics.length, 2)
})

t.test('an archived channel still has its topics; a spectator sees those of web-public ones', async t => {
  const [owner] = await people(server, 1)
  const channel = await channelOf([owner])
  await say(owner, channel.id)
  await setRealm(server, { enable_spectator_access: true })
  const spectator = server.api(null)
  t.match(await spectator.get(`/users/me/${channel.id}/topics`), refused())
  await setChannel(server, channel.id, { is_web_public: true })
  t.equal((await spectator.ok('GET', `/users/me/${channel.id}/topics`)).topics.length, 1)
  await setRealm(server, { enable_spectator_access: false })
  t.match(await spectator.get(`/users/me/${channel.id}/topics`), { status: 401, body: { code: 'UNAUTHORIZED' } })
  await setChannel(server, channel.id, { is_archived: true })
  t.equal((await owner.ok('GET', `/users/me/${channel.id}/topics`)).topics.length, 1)
})

t.test('it is refused', async t => {
  const [owner, outsider] = await people(server, 2)
  const closed = await channelOf([owner], { invite_only: true })
  t.match(await outsider.get(`/users/me/${closed.id}/topics`), refused())
  t.match(await outsider.get('/users/me/999999/topics'), refused())
  t.match(
    await (await server.person({ role: 600 })).get(`/users/me/${(await channelOf([owner])).id}/topics`),
    refused(),
  )
})

t.test(
  'who may know a channel and not read it is refused; who may read it and received nothing sees no topics',
  async t => {
    const [owner, joiner] = (await people(server, 2)) as [Person, Person]
    const admin = await server.person({ role: 200 })
    const holders = { direct_members: [joiner.id], direct_subgroups: [] }
    const channel = await channelOf([owner], { invite_only: true, can_subscribe_group: holders })
    await say(owner, channel.id)
    const path = `/users/me/${channel.id}/topics`
    t.match(await admin.get(path), refused())
    t.match(await joiner.get(path), { status: 200, body: { topics: [] } })
    await setChannel(server, channel.id, { history_public_to_subscribers: true })
    t.equal((await joiner.ok('GET', path)).topics.length, 1)
  },
)

t.test('with protected history what was sent between two subscriptions stays hidden', async t => {
  const [owner, reader] = (await people(server, 2)) as [Person, Person]
  const channel = await channelOf([owner, reader], { invite_only: true })
  const path = `/users/me/${channel.id}/topics`
  const first = await say(owner, channel.id, 'x', 'Seen')
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  t.match(await reader.get(path), refused(), 'a former subscriber reads nothing')
  await say(owner, channel.id, 'x', 'SEEN')
  await say(owner, channel.id, 'x', 'missed')
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [reader.id],
    send_new_subscription_messages: false,
  })
  t.same((await reader.ok('GET', path)).topics, [{ name: 'Seen', max_id: first }], 'under the name that it saw')
  const last = await say(owner, channel.id, 'x', 'missed')
  t.same((await reader.ok('GET', path)).topics, [
    { name: 'missed', max_id: last },
    { name: 'Seen', max_id: first },
  ])
})

t.test('what was deleted or moved away is no topic any more', async t => {
  const admin = await server.person({ role: 200 })
  const channel = await channelOf([admin])
  const [one, two] = [await say(admin, channel.id, 'x', 'one'), await say(admin, channel.id, 'x', 'two')]
  await admin.ok('DELETE', `/messages/${one}`)
  await admin.ok('PATCH', `/messages/${two}`, {
    topic: 'three',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  })
  const { topics } = await admin.ok('GET', `/users/me/${channel.id}/topics`)
  t.same(topics, [{ name: 'three', max_id: two }])
})

t.test('the display name is the one of the organization; a parameter that is no boolean is refused', async t => {
  const [author] = (await people(server, 1)) as [Person]
  const channel = await channelOf([author])
  await say(author, channel.id, 'x', '')
  await setRealm(server, { empty_topic_display_name: 'anything' })
  t.teardown(() => setRealm(server, { empty_topic_display_name: 'general chat' }))
  const path = `/users/me/${channel.id}/topics`
  t.equal((await author.ok('GET', path)).topics[0].name, 'anything')
  t.equal((await author.ok('GET', path, { allow_empty_topic_name: true })).topics[0].name, '')
  t.match(await author.get(path, { allow_empty_topic_name: 'yes' }), refused())
})

t.test('a spectator sees no archived channel', async t => {
  const [owner] = (await people(server, 1)) as [Person]
  await setRealm(server, { enable_spectator_access: true })
  const channel = await channelOf([owner])
  await say(owner, channel.id)
  await setChannel(server, channel.id, { is_web_public: true, is_archived: true })
  t.match(await server.api(null).get(`/users/me/${channel.id}/topics`), refused())
})

t.test('as many statements for many topics as for one', async t => {
  const [author] = (await people(server, 1)) as [Person]
  for (const params of [{}, { invite_only: true }]) {
    const channel = await channelOf([author], params)
    const count = () => queriesOf(server, () => author.ok('GET', `/users/me/${channel.id}/topics`))
    await say(author, channel.id)
    const one = await count()
    for (let i = 0; i < 5; i++) await say(author, channel.id, 'x', `topic ${i}`)
    t.equal(await count(), one)
    t.ok(one <= 3)
  }
})
