import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import { deactivate } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, people, refused, say, setChannel } from '../messages/scene.js'

const server = await startServer(t)
const { ctx } = server
const admin = await server.person({ role: 200 })

const remove = (who: Person, stream_id: number, topic_name: unknown) =>
  who.post(`/streams/${stream_id}/delete_topic`, { topic_name })

const done = { status: 200, body: { result: 'success', complete: true } }

/** Inserts this many earlier messages. */
async function fill(channelId: number, sender: Person, topic: string, count: number): Promise<number[]> {
  const rows = await server.sql<{ id: number }[]>`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${sender.id}, ${channelId}, ${topic}, 'x', '<p>x</p>', 1 from generate_series(1, ${count}) returning id`
  await server.sql`
    update channels set first_message_id = (select min(id) from messages where channel_id = channels.id)
    where id = ${channelId}`
  return rows.map(row => row.id)
}

const idsOf = async (channelId: number, topic: string): Promise<number[]> =>
  (
    await server.sql<{ id: number }[]>`
      select id from messages where channel_id = ${channelId} and lower(topic) = lower(${topic}) order by id`
  ).map(row => row.id)

t.test(
  'all messages of the topic are deleted, in any case of its name, and all who could see them get events',
  async t => {
    const [author, reader, outsider] = await people(server, 3)
    const channel = await channelOf([author, reader])
    const gone = [await say(author, channel.id, 'x', 'Gone'), await say(author, channel.id, 'x', 'gone')]
    const kept = await say(author, channel.id, 'x', 'kept')
    await reader.ok('POST', '/messages/flags', { messages: gone, op: 'add', flag: 'starred' })
    const ears = await each([author, reader, outsider, admin], person => Listener.start(ctx, person))
    t.match(await remove(admin, channel.id, 'GONE'), done)
    const [ofAuthor, ofReader, ofOutsider, ofAdmin] = await each(ears, ear => ear.inStep(t))
    const first = { type: 'stream', op: 'update', property: 'first_message_id', value: kept, stream_id: channel.id }
    const deleted = {
      type: 'delete_message',
      message_ids: gone,
      message_type: 'stream',
      stream_id: channel.id,
      topic: 'gone',
    }
    t.match(ofReader, [first, deleted])
    t.match(ofAuthor, [first, deleted, { type: 'user_topic', visibility_policy: 0 }])
    t.match(ofAdmin, [first, deleted])
    t.match(ofOutsider, [first], 'who is not subscribed knows the channel, and has no messages of it')
    t.same((await author.ok('GET', `/users/me/${channel.id}/topics`)).topics, [{ name: 'kept', max_id: kept }])
    t.match(await remove(admin, channel.id, 'gone'), done, 'nothing is left, nothing to do')
    t.same(await ears[1].events(t), [])
  },
)

t.test('the empty topic is meant by its display name', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  for (const name of ['general chat', '']) {
    const id = await say(author, channel.id, 'x', '')
    const newer = await Listener.start(ctx, author)
    const older = await Listener.start(ctx, author, { client_capabilities: { bulk_message_deletion: true } })
    t.match(await remove(admin, channel.id, name), done)
    const find = (events: Loose[]) => events.find(event => event.type === 'delete_message')
    t.match(find(await newer.inStep(t)), { message_ids: [id], topic: '' })
    t.match(find(await older.events(t)), { message_ids: [id], topic: 'general chat' })
  }
  t.same(await idsOf(channel.id, ''), [])
})

t.test('many messages go in batches, the newest first', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ids = await fill(channel.id, author, 'long', 250)
  const other = await say(author, channel.id, 'x', 'other')
  const bulk = await Listener.start(ctx, reader)
  const single = await Listener.start(ctx, reader, { client_capabilities: {} })
  t.match(await remove(admin, channel.id, 'long'), done)
  const events = await bulk.inStep(t)
  t.same(
    events.filter(event => event.type === 'delete_message').map(event => event.message_ids),
    [ids.slice(150), ids.slice(50, 150), ids.slice(0, 50)],
  )
  const firsts = events.filter(event => event.property === 'first_message_id')
  t.match(firsts, [{ value: other }], 'only the last batch has the oldest message')
  const singles = (await single.events(t)).filter(event => event.type === 'delete_message')
  t.same(
    singles.map(event => event.message_id),
    [...ids.slice(150), ...ids.slice(50, 150), ...ids.slice(0, 50)],
  )
  t.notOk(singles.some(event => 'message_ids' in event))
})

t.test('when its time is over it says so, and a repeated request goes on', async t => {
  const hurried = await startServer(t, { DELETE_TOPIC_SECONDS: '0' }, server.organization)
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const ids = await fill(channel.id, author, 'long', 200)
  const again = () => hurried.api(admin).post(`/streams/${channel.id}/delete_topic`, { topic_name: 'long' })
  t.match((await again()).body, { complete: false })
  t.same(await idsOf(channel.id, 'long'), ids.slice(0, 100), 'the oldest are left')
  t.match((await again()).body, { complete: true }, 'exactly one batch was left')
  t.same(await idsOf(channel.id, 'long'), [])
  await hurried.stop()
})

t.test('what people wanted of the topic is forgotten', async t => {
  const [author, follower, muter] = await people(server, 3)
  const channel = await channelOf([author, follower, muter])
  await say(author, channel.id, 'x', 'Talk')
  await follower.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'talk', visibility_policy: 3 })
  await muter.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'talk', visibility_policy: 1 })
  await muter.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'other', visibility_policy: 1 })
  const ears = await each([follower, muter], person => Listener.start(ctx, person))
  t.match(await remove(admin, channel.id, 'talk'), done)
  const [ofFollower, ofMuter] = await each(ears, ear => ear.inStep(t))
  t.same(kinds(ofFollower), ['stream/update', 'delete_message', 'user_topic'])
  t.same(kinds(ofMuter), ['stream/update', 'delete_message', 'muted_topics', 'user_topic'])
  t.match(ofMuter.at(-1), { topic_name: 'talk', visibility_policy: 0 })
  t.match(ears[1].state.user_topics, [{ topic_name: 'other' }])
})

t.test('with protected history only what the administrator received is deleted', async t => {
  const [author] = await people(server, 1)
  const late = await server.person({ role: 200 })
  const channel = await channelOf([author], { invite_only: true, history_public_to_subscribers: false })
  const old = await say(author, channel.id, 'x', 'talk')
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals: [late.id] })
  const seen = await say(author, channel.id, 'x', 'talk')
  await late.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'talk', visibility_policy: 1 })
  const ears = await each([author, late], person => Listener.start(ctx, person))
  t.match(await remove(late, channel.id, 'talk'), done)
  t.same(await idsOf(channel.id, 'talk'), [old])
  const [ofAuthor, ofLate] = await each(ears, ear => ear.inStep(t))
  t.match(ofAuthor, [{ type: 'delete_message', message_ids: [seen] }], 'follows it still: it has a message left')
  t.match(ofLate, [{ type: 'delete_message', message_ids: [seen] }, { type: 'muted_topics' }, { visibility_policy: 0 }])
  t.equal(ears[0].state.user_topics.length, 1)
})

t.test('it is refused', async t => {
  const [author, outsider] = await people(server, 2)
  const hidden = await channelOf([author], { invite_only: true })
  const open = await channelOf([author])
  const id = await say(author, open.id, 'x', 'talk')
  const refusal = await remove(author, open.id, 'talk')
  t.match(refusal, refused('UNAUTHORIZED_PRINCIPAL'))
  t.match(refusal.body.msg, /administrator/)
  const others = [{ role: 300 }, { role: 600 }, { bot_type: 1, bot_owner_id: admin.id }] as const
  for (const options of others) {
    t.match(await remove(await server.person(options), open.id, 'talk'), refused('UNAUTHORIZED_PRINCIPAL'))
  }
  t.match(await remove(author, 999_999, undefined), refused('UNAUTHORIZED_PRINCIPAL'), 'before anything else')
  t.match(await remove(admin, open.id, undefined), refused('REQUEST_VARIABLE_MISSING', { var_name: 'topic_name' }))
  const unknown = await remove(admin, 999_999, 'talk')
  t.match(unknown, refused())
  t.same((await remove(admin, hidden.id, 'talk')).body, unknown.body, 'an administrator does not read every channel')
  t.match(await remove(admin, open.id, 'a\u0000b'), refused())
  t.equal((await admin.post(`/streams/${open.id}/delete_topic`, { topic: 'talk' })).status, 400)
  await setChannel(server, open.id, { is_archived: true })
  t.match(await remove(admin, open.id, 'talk'), refused(), 'archived')
  t.same(await idsOf(open.id, 'talk'), [id])
  const former = await server.person({ role: 200 })
  await deactivate(server.sql, former.id)
  t.equal((await remove(former, open.id, 'talk')).status, 401)
  t.equal((await remove(outsider, open.id, 'talk')).body.code, 'UNAUTHORIZED_PRINCIPAL')
})

t.test('two administrators, senders, movers and deleters at once: clients stay in step', async t => {
  const second = await server.person({ role: 200 })
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader, second])
  const ears = await each([author, reader], person => Listener.start(ctx, person))
  for (let round = 0; round < 3; round++) {
    const ids = await each([1, 2, 3, 4, 5, 6], async n => say(author, channel.id, `${n}`, 'race'))
    const answers = await Promise.all([
      remove(admin, channel.id, 'race'),
      remove(second, channel.id, 'race'),
      author.post('/messages', { type: 'channel', to: channel.id, topic: 'race', content: 'late' }),
      author.patch(`/messages/${ids[2]}`, { topic: 'elsewhere', propagate_mode: 'change_later' }),
      author.delete(`/messages/${ids[5]}`),
      reader.post(`/messages/${ids[0]}/reactions`, { emoji_name: 'eyes' }),
      reader.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' }),
      reader.post('/user_topics', { stream_id: channel.id, topic: 'race', visibility_policy: 1 }),
    ])
    t.same(
      answers.filter(answer => answer.status >= 500),
      [],
      'nothing breaks',
    )
    t.match(answers.slice(0, 2), [done, done])
    for (const ear of ears) await ear.inStep(t)
  }
})
