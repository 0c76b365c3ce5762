import t from 'tap'
import { kinds, Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { queriesOf, statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from '../messages/scene.js'

const server = await startServer(t)
const { ctx } = server

const [participates, sends, starts, never] = [1, 2, 3, 4]

/** A user with these settings for following, unmuting and mentions. */
const personWho = (follow: number, unmute: number, mentioned = false): Promise<Person> =>
  server.person({
    settings: {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
      automatically_follow_topics_where_mentioned: mentioned,
    },
  })

const mute = (who: Person, stream_id: number, value = true) =>
  who.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property: 'is_muted', value }],
  })

const set = (who: Person, stream_id: number, topic: string, visibility_policy: number) =>
  who.ok('POST', '/user_topics', { stream_id, topic, visibility_policy })

/** The topic's policy in the answer to a sent message. */
const sent = async (who: Person, to: number, topic: string, content = 'hello'): Promise<number | undefined> =>
  (await who.ok('POST', '/messages', { type: 'channel', to, topic, content })).automatic_new_visibility_policy

const policyOf = async (who: Person, topic: string): Promise<number> => {
  const { user_topics } = await who.ok('POST', '/register', { event_types: [], fetch_event_types: ['user_topic'] })
  return user_topics.find((one: Loose) => one.topic_name === topic)?.visibility_policy ?? 0
}

t.test('a user who starts a topic follows it, by default', async t => {
  const [author, other] = await people(server, 2)
  const channel = await channelOf([author, other])
  const ears = [await Listener.start(ctx, author), await Listener.start(ctx, other)] as const
  t.equal(await sent(author, channel.id, 'New'), 3)
  t.equal(await sent(other, channel.id, 'new'), undefined, 'the second one did not')
  t.equal(await sent(author, channel.id, 'New'), undefined, 'it is followed already')
  t.same(kinds(await ears[0].inStep(t)), ['user_topic', 'message', 'message', 'message'])
  t.same(kinds(await ears[1].inStep(t)), ['message', 'message', 'message'])
  t.equal(await policyOf(author, 'New'), 3)
  t.equal(await policyOf(other, 'New'), 0)
})

t.test('a topic that was deleted or moved away is started again', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const first = await say(author, channel.id, 'x', 'deleted')
  await author.ok('DELETE', `/messages/${first}`)
  await set(author, channel.id, 'deleted', 0)
  t.equal(await sent(author, channel.id, 'deleted'), 3)
  const second = await say(author, channel.id, 'x', 'moved')
  await author.ok('PATCH', `/messages/${second}`, { topic: 'elsewhere', send_notification_to_new_thread: false })
  t.equal(await policyOf(author, 'moved'), 0)
  t.equal(await policyOf(author, 'elsewhere'), 3)
  t.equal(await sent(author, channel.id, 'moved'), 3)
})

t.test('each setting means its act and those that say more', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  for (const [follow, onReaction, onMessage, onStart] of [
    [participates, 3, 3, 3],
    [sends, 0, 3, 3],
    [starts, 0, 0, 3],
    [never, 0, 0, 0],
  ] as const) {
    const who = await personWho(follow, never)
    await sent(who, channel.id, `started ${follow}`)
    t.equal(await policyOf(who, `started ${follow}`), onStart, `${follow}: starts`)
    await sent(author, channel.id, `sent ${follow}`)
    t.equal((await sent(who, channel.id, `sent ${follow}`)) ?? 0, onMessage, `${follow}: sends`)
    const id = await say(author, channel.id, 'x', `reacted ${follow}`)
    await who.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'eyes' })
    t.equal(await policyOf(who, `reacted ${follow}`), onReaction, `${follow}: reacts`)
  }
})

t.test('in a muted channel topics are unmuted; following is more', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  for (const [follow, unmute, expected] of [
    [never, participates, [2, 2, 2]],
    [never, sends, [0, 2, 2]],
    [never, starts, [0, 0, 2]],
    [never, never, [0, 0, 0]],
    [starts, sends, [0, 2, 3]],
    [participates, participates, [3, 3, 3]],
  ] as const) {
    const name = `${follow} ${unmute}`
    const who = await personWho(follow, unmute)
    await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
    await mute(who, channel.id)
    const id = await say(author, channel.id, 'x', `reacted ${name}`)
    await who.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'eyes' })
    await sent(author, channel.id, `sent ${name}`)
    await sent(who, channel.id, `sent ${name}`)
    await sent(who, channel.id, `started ${name}`)
    const found = await Promise.all(['reacted', 'sent', 'started'].map(what => policyOf(who, `${what} ${name}`)))
    t.same(found, expected, name)
    await mute(who, channel.id, false)
    await sent(author, channel.id, `later ${name}`)
    if (follow > sends) t.equal(await sent(who, channel.id, `later ${name}`), undefined, 'no longer muted')
  }
})

t.test('it only ever gets louder', async t => {
  const who = await personWho(never, sends)
  const channel = await channelOf([who])
  await mute(who, channel.id)
  await set(who, channel.id, 'a', 3)
  t.equal(await sent(who, channel.id, 'a'), undefined, 'followed stays followed')
  await set(who, channel.id, 'b', 1)
  t.equal(await sent(who, channel.id, 'b'), 2, 'who writes listens')
  await set(who, channel.id, 'b', 1)
  t.equal(await sent(who, channel.id, 'b'), 2, 'each time')
})

t.test('who is mentioned by name follows the topic', async t => {
  const [author] = await people(server, 1)
  const [mentioned, muter, unwilling, outsider] = [
    await personWho(never, never, true),
    await personWho(never, never, true),
    await personWho(never, never, false),
    await personWho(never, never, true),
  ]
  const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
  const channel = await channelOf([author, mentioned, muter, unwilling, bot])
  await set(muter, channel.id, 'talk', 1)
  const everybody = [mentioned, muter, unwilling, outsider, bot]
  const ear = await Listener.start(ctx, mentioned)
  await say(author, channel.id, '@**all** @*no such group*')
  t.equal(await policyOf(mentioned, 'talk'), 0, 'not as one of many')
  await say(author, channel.id, everybody.map(one => `@_**|${one.id}**`).join(' '))
  t.equal(await policyOf(mentioned, 'talk'), 0, 'not silently')
  await say(author, channel.id, everybody.map(one => `@**|${one.id}**`).join(' '))
  t.same(await Promise.all(everybody.map(one => policyOf(one, 'talk'))), [3, 1, 0, 0, 0])
  t.same(kinds(await ear.inStep(t)).slice(-2), ['user_topic', 'message'])
  await set(mentioned, channel.id, 'talk', 2)
  await say(author, channel.id, `@**|${mentioned.id}**`)
  t.equal(await policyOf(mentioned, 'talk'), 3)
})

t.test('bots want nothing, and people nothing of direct messages', async t => {
  const [author] = await people(server, 1)
  const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
  const channel = await channelOf([author, bot])
  t.equal(await sent(bot, channel.id, 'by a bot'), undefined)
  const answer = await author.ok('POST', '/messages', { type: 'direct', to: [bot.id], content: 'x' })
  t.notOk('automatic_new_visibility_policy' in answer)
  t.equal(await policyOf(bot, 'by a bot'), 0)
})

t.test('with protected history a topic is started by who sees no message of it', async t => {
  const [author, late] = await people(server, 2)
  const channel = await channelOf([author], { invite_only: true, history_public_to_subscribers: false })
  await sent(author, channel.id, 'secret')
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals: [late.id] })
  t.equal(await sent(late, channel.id, 'secret'), 3)
  t.equal(await sent(late, channel.id, 'secret'), undefined)
})

t.test('of four users who start a topic at once exactly one follows it', async t => {
  const [author, ...others] = await people(server, 4)
  const channel = await channelOf([author, ...others])
  for (let round = 0; round < 3; round++) {
    const topic = `race ${round}`
    const policies = await Promise.all([author, ...others].map(who => sent(who, channel.id, topic)))
    t.equal(policies.filter(policy => policy === 3).length, 1, 'one worker knows exactly')
  }
})

t.test('a message costs one statement all the same', async t => {
  const [author, reader] = await people(server, 2)
  const follower = await personWho(sends, sends, true)
  const channel = await channelOf([author, reader, follower])
  t.equal(await queriesOf(server, () => sent(author, channel.id, 'often')), 1, 'in a topic that one started')
  t.equal(await queriesOf(server, () => sent(follower, channel.id, 'often')), 1, 'in a topic that one follows')
  t.equal(await queriesOf(server, () => sent(author, channel.id, 'often', `@**|${follower.id}**`)), 1, 'with a mention')
  await mute(reader, channel.id)
  t.equal(await queriesOf(server, () => sent(reader, channel.id, 'often')), 1, 'in a channel that one muted')
  const statements = await statementsOf(server, () => sent(author, channel.id, 'another topic'))
  const inserts = statements.filter(text => text.includes('insert into messages'))
  t.equal(inserts.length, 2, 'a new topic takes a transaction')
})

t.test("a worker's copy of topics follows the changes of other workers", async t => {
  const other = await startServer(t, {}, server.organization)
  const admin = await server.person({ role: 200 })
  const who = await personWho(sends, never)
  const starter = await personWho(starts, never)
  const channel = await channelOf([who, starter])
  const ear = await Listener.start([ctx, other.ctx], who)
  t.equal(await sent(who, channel.id, 'shared'), 3)
  t.equal(await sent(who, channel.id, 'shared'), undefined)
  await other.api(who).ok('POST', '/user_topics', { stream_id: channel.id, topic: 'SHARED', visibility_policy: 0 })
  await ear.inStep(t)
  t.equal(await sent(who, channel.id, 'shared'), 3, 'it was taken back elsewhere')
  await sent(who, channel.id, 'short-lived')
  t.equal(await sent(starter, channel.id, 'short-lived'), undefined)
  await other.api(admin).ok('POST', `/streams/${channel.id}/delete_topic`, { topic_name: 'short-lived' })
  await ear.inStep(t)
  t.equal(await sent(starter, channel.id, 'short-lived'), 3, 'it was deleted elsewhere')
  await other.stop()
})
