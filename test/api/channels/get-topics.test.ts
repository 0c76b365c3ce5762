import t from 'tap'
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

t.test('an archived channel still has its topics; a visitor sees those of web-public ones', async t => {
  const [owner] = await people(server, 1)
  const channel = await channelOf([owner])
  await say(owner, channel.id)
  await setRealm(server, { enable_spectator_access: true })
  const visitor = server.api(null)
  t.match(await visitor.get(`/users/me/${channel.id}/topics`), refused())
  await setChannel(server, channel.id, { is_web_public: true })
  t.equal((await visitor.ok('GET', `/users/me/${channel.id}/topics`)).topics.length, 1)
  await setRealm(server, { enable_spectator_access: false })
  t.match(await visitor.get(`/users/me/${channel.id}/topics`), { status: 401, body: { code: 'UNAUTHORIZED' } })
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
