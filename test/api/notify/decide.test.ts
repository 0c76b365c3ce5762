import t from 'tap'
import { openDatabase } from '../../../server/store/driver/open-database.js'
import { until } from '../../http/until.js'
import { Api } from '../../support/http.js'
import type { Loose } from '../../support/in-step.js'
import { changeDirectory } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { NotifyScene } from './scene.js'

const server = await startServer(t)
const { sql } = server
const scene = new NotifyScene(server)
const sender = await server.person()
const away = (settings: Loose = {}) => server.person({ settings })
const follow = (user: Person, stream_id: number, visibility_policy: number, topic = 'topic') =>
  user.ok('POST', '/user_topics', { stream_id, topic, visibility_policy })
const setChannel = (user: Person, stream_id: number, property: string, value: boolean) =>
  user.ok('POST', '/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] })
// Otherwise a mention makes its receiver follow the topic.
const stays = { automatically_follow_topics_where_mentioned: false }

t.test('each reason, and the settings that switch it off', async t => {
  const off = 'enable_offline_email_notifications'
  const followed = 'enable_followed_topic_email_notifications'
  const everywhere = 'enable_stream_email_notifications'
  const wildcards = 'wildcard_mentions_notify'
  const followedWildcards = 'enable_followed_topic_wildcard_mentions_notify'
  const readers = {
    plain: await away(stays),
    silent: await away({ ...stays, [off]: false, enable_offline_push_notifications: false }),
    pushOnly: await away({ ...stays, [off]: false }),
    follower: await away(stays),
    followsNoMail: await away({ ...stays, [followed]: false, [followedWildcards]: false, [wildcards]: false }),
    all: await away({ ...stays, [everywhere]: true }),
    allButThis: await away({ ...stays, [everywhere]: true }),
    onlyThis: await away({ ...stays, [wildcards]: false }),
    mutesTopic: await away({ ...stays, [everywhere]: true }),
    mutesChannel: await away({ ...stays, [everywhere]: true }),
    unmutesTopic: await away({ ...stays, [everywhere]: true }),
  }
  const people = Object.values(readers)
  const place = await scene.channel(sender, people)
  await follow(readers.follower, place, 3)
  await follow(readers.followsNoMail, place, 3)
  await setChannel(readers.allButThis, place, 'email_notifications', false)
  await setChannel(readers.allButThis, place, 'wildcard_mentions_notify', false)
  await setChannel(readers.onlyThis, place, 'email_notifications', true)
  await setChannel(readers.onlyThis, place, 'wildcard_mentions_notify', true)
  await follow(readers.mutesTopic, place, 1)
  await setChannel(readers.mutesChannel, place, 'is_muted', true)
  await setChannel(readers.unmutesTopic, place, 'is_muted', true)
  await follow(readers.unmutesTopic, place, 2)
  /** By the name of the reader. */
  const reasons = async (id: number) => {
    const found = await scene.reasons(id)
    return Object.fromEntries(
      Object.entries(readers).flatMap(([name, { id }]) => (found[id] ? [[name, found[id]]] : [])),
    )
  }
  const named = (reason: string, ...but: (keyof typeof readers)[]) =>
    Object.fromEntries(
      Object.keys(readers)
        .filter(name => !['silent', 'pushOnly', ...but].includes(name))
        .map(name => [name, reason]),
    )
  t.same(await reasons(await scene.direct(sender, people)), named('direct_message'))
  const mentions = people.map(one => `@**${one.full_name}|${one.id}**`).join(' ')
  t.same(await reasons(await scene.post(sender, place, `@**all** ${mentions}`)), named('mention'))
  const quiet = { follower: 'followed_topic', all: 'channel', onlyThis: 'channel', unmutesTopic: 'channel' }
  t.same(await reasons(await scene.post(sender, place)), quiet)
  t.same(await reasons(await scene.post(sender, place, '@**all** hello')), {
    ...named('channel_wildcard', 'followsNoMail', 'allButThis'),
    follower: 'channel_wildcard_in_followed_topic',
  })
  t.same(await reasons(await scene.post(sender, place, '@**topic** hello')), quiet, 'they take no part in the topic')
  for (const reader of people) await scene.post(reader, place, 'I take part')
  t.same(await reasons(await scene.post(sender, place, '@**topic** hello')), {
    ...named('topic_wildcard', 'followsNoMail', 'allButThis'),
    follower: 'topic_wildcard_in_followed_topic',
  })
  t.same(await reasons(await scene.post(sender, place, 'hello', 'other')), {
    all: 'channel',
    onlyThis: 'channel',
    mutesTopic: 'channel',
  })
})

t.test('a group that is mentioned', async t => {
  const [member, other] = [await away(), await away()]
  const place = await scene.channel(sender, [member, other])
  await sender.ok('POST', '/user_groups/create', { name: 'helpers', description: '', members: [member.id] })
  t.same(await scene.reasons(await scene.post(sender, place, '@*helpers* hello')), { [member.id]: 'mention' })
})

t.test(
  'never: bots, the sender, users who muted the sender, silent mentions, former subscribers, what is read at once',
  async t => {
    const [reader, muter, left] = [await away(), await away(), await away()]
    const bot = await server.person({ bot_type: 1, bot_owner_id: reader.id })
    const gone = await server.person()
    await muter.ok('POST', `/users/me/muted_users/${sender.id}`)
    const people = [reader, muter, left, bot, gone]
    const place = await scene.channel(sender, people)
    await left.ok('DELETE', '/users/me/subscriptions', { subscriptions: [await nameOf(place)] })
    const mentions = [sender, ...people].map(one => `@**${one.full_name}|${one.id}**`).join(' ')
    await sql`update users set is_active = false where id = ${gone.id}`
    const silent = mentions.replaceAll('@**', '@_**')
    t.same(await scene.reasons(await scene.post(sender, place, silent)), {})
    t.same(await scene.reasons(await scene.post(sender, place, mentions)), {
      [reader.id]: 'mention',
      [gone.id]: 'mention',
    })
  },
)

const nameOf = async (id: number) =>
  (await sql<{ name: string }[]>`select name from channels where id = ${id}`)[0]?.name

t.test('a user with a queue that receives messages is away only after the offline threshold', async t => {
  const reader = await away()
  const { presence, clock } = server.ctx
  const active = (ago: number) =>
    presence.exchange(
      { userId: reader.id, status: 'active', interval: 0, threshold: 140 },
      'none',
      clock.now() - ago * 1000,
    )
  const isMissed = async () => reader.id in (await scene.reasons(await scene.direct(sender, [reader])))
  await active(300)
  const other = await reader.ok('POST', '/register', { event_types: ['presence'] })
  t.ok(await isMissed(), 'its queue receives no messages')
  const { queue_id } = await reader.ok('POST', '/register', { event_types: ['message'] })
  t.ok(await isMissed(), 'it was active too long ago')
  await active(0)
  t.notOk(await isMissed(), 'it looks at a client')
  await reader.ok('DELETE', '/events', { queue_id })
  t.ok(await isMissed(), 'the queue is gone')
  const hidden = await away({ presence_enabled: false })
  const own = await hidden.ok('POST', '/register', { event_types: ['message'] })
  const reasons = async () => scene.reasons(await scene.direct(sender, [hidden]))
  t.same(await reasons(), { [hidden.id]: 'direct_message' })
  await hidden.ok('POST', '/users/me/presence', { status: 'active' })
  t.same(await reasons(), {}, 'it is active, which it does not share')
  await hidden.ok('DELETE', '/events', { queue_id: own.queue_id })
  await reader.ok('DELETE', '/events', { queue_id: other.queue_id })
})

t.test('an edit notifies those that it newly mentions', async t => {
  const [first, second, all] = [
    await away(stays),
    await away(stays),
    await away({ enable_stream_email_notifications: true }),
  ]
  const place = await scene.channel(sender, [first, second, all])
  const mention = (...people: Person[]) => people.map(one => `@**${one.full_name}|${one.id}**`).join(' ')
  const id = await scene.post(sender, place, mention(first))
  t.same(await scene.reasons(id), { [first.id]: 'mention', [all.id]: 'channel' })
  await sql`delete from missed_messages`
  await sender.ok('PATCH', `/messages/${id}`, { content: mention(first, second) })
  t.same(await scene.reasons(id), { [second.id]: 'mention' }, 'only what is new')
  await sql`delete from missed_messages`
  await sender.ok('PATCH', `/messages/${id}`, { content: `${mention(second)} @**all**`, topic: 'moved' })
  t.same(await scene.reasons(id), {
    [first.id]: 'channel_wildcard',
    [second.id]: 'channel_wildcard',
    [all.id]: 'channel_wildcard',
  })
  await sql`delete from missed_messages`
  await sender.ok('PATCH', `/messages/${id}`, { content: 'no mention' })
  t.same(await scene.reasons(id), {})
  await second.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
  await sender.ok('PATCH', `/messages/${id}`, { content: mention(second) })
  t.same(await scene.reasons(id), {}, 'the message was read before')
})

t.test('an edit notifies subscribers who joined after the message only where they may read it', async t => {
  for (const [isShared, reached] of [
    [true, { stayed: 'mention', joined: 'mention' }],
    [false, { stayed: 'mention' }],
  ] as const) {
    const [stayed, joined] = [await away(stays), await away(stays)]
    const place = await scene.channel(sender, [stayed], {
      invite_only: true,
      history_public_to_subscribers: isShared,
    })
    const id = await scene.post(sender, place)
    const subscriptions = [{ name: await nameOf(place) }]
    await sender.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [joined.id] })
    const mentions = [stayed, joined].map(one => `@**${one.full_name}|${one.id}**`).join(' ')
    await sender.ok('PATCH', `/messages/${id}`, { content: `${mentions} @**all**` })
    const found = await scene.reasons(id)
    t.same({ stayed: found[stayed.id], joined: found[joined.id] }, { joined: undefined, ...reached })
  }
})

t.test(
  'a message of a transaction that commits after later ones is passed over by no worker, and decided once',
  async t => {
    const reader = await away()
    const before = await scene.direct(sender, [reader])
    await scene.decided(before)
    const outside = openDatabase(server.organization.services.databaseUrl, server.organization.schema, 1)
    t.teardown(() => outside.end())
    let late = 0
    let later = 0
    await outside.begin(async tx => {
      const [row] = await tx<{ id: number }[]>`
      insert into messages (sender_id, conversation_id, topic, content, rendered_content, date_sent, client, renderer_version)
      select sender_id, conversation_id, topic, content, rendered_content, now(), client, renderer_version from messages
      where id = ${before} and pg_current_xact_id() is not null returning id`
      late = row?.id ?? 0
      later = await scene.direct(sender, [reader])
      const begun = server.jobs.lanes.get('decide-notifications')?.counts.outcomes.done ?? 0
      await until(async () => (server.jobs.lanes.get('decide-notifications')?.counts.outcomes.done ?? 0) > begun + 1)
      t.same(await sql`select from missed_messages where message_id = ${later}`, [], 'an earlier one may come')
    })
    t.same(await scene.reasons(later), { [reader.id]: 'direct_message' })
    t.same(await scene.reasons(late), { [reader.id]: 'direct_message' })
  },
)

t.test('two workers that decide at once notify of each message once', async t => {
  const second = await startServer(t, {}, server.organization)
  const [reader, ...senders] = [await away(), await server.person(), await server.person(), await server.person()]
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      const { who } = senders[i % senders.length] as Person
      const api = new Api(i % 2 === 0 ? server.url : second.url, who)
      return api.ok('POST', '/messages', { type: 'direct', to: [reader.id], content: 'hello' }).then(({ id }) => id)
    }),
  )
  await scene.decided(Math.max(...ids))
  const rows =
    await sql`select from missed_messages where user_id = ${reader.id} and message_id = any(${ids}::bigint[])`
  t.equal(rows.length, ids.length)
  const jobs = await sql`select from jobs where key = ${`missed messages ${reader.id}`}`
  t.equal(jobs.length, 1)
  const { queue_id } = await new Api(second.url, reader.who).ok('POST', '/register', { event_types: ['message'] })
  await reader.ok('POST', '/users/me/presence', { status: 'active' })
  t.same(await scene.reasons(await scene.direct(sender, [reader])), {}, 'the queue is at the other worker')
  await reader.ok('DELETE', '/events', { queue_id })
  await until(async () => reader.id in (await scene.reasons(await scene.direct(sender, [reader]))))
})

t.test('deciding costs no statement for each reader', async t => {
  const owner = await server.person({ role: 100 })
  const few = await scene.channel(owner, [])
  const many = await scene.channel(owner, [])
  for (const [place, count] of [
    [few, 3],
    [many, 600],
  ] as const) {
    await changeDirectory(sql, async (tx, version) => {
      await tx`
        with made as (
          insert into users (delivery_email, full_name, role, api_key, version)
          select 'crowd' || n || 'of' || ${place}::int || '@test.example', 'Crowd ' || n, 400,
            lpad(${place}::int || 'x' || n, 32, '0'), ${version}
          from generate_series(1, ${count}::int) as n returning id
        )
        insert into subscriptions (user_id, channel_id, spans) select id, ${place}, int8multirange(int8range(1, null)) from made`
      await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${place}`
    })
  }
  /** The statements that decide on one message, without the looks that find nothing. */
  const statementsFor = async (place: number, content: string) => {
    const texts: string[] = []
    const options = server.ctx.sql.options as unknown as { debug: unknown }
    options.debug = (_: number, text: string) => {
      if (text.includes('who is notified') && !/for update|notification_progress/.test(text)) texts.push(text)
    }
    try {
      const id = await scene.post(owner, place, content)
      const found = await scene.reasons(id)
      return { statements: texts.length, notified: Object.keys(found).length }
    } finally {
      options.debug = false
    }
  }
  t.same(await statementsFor(few, 'hello'), { statements: 1, notified: 0 })
  t.same(await statementsFor(many, 'hello'), { statements: 1, notified: 0 }, 'none wants mails of the channel')
  const [three, crowd] = [await statementsFor(few, '@**all** hello'), await statementsFor(many, '@**all** hello')]
  t.same([three?.notified, crowd?.notified], [3, 600])
  t.equal(crowd?.statements, three?.statements)

  await sql`update subscriptions set spans = '{}' where channel_id = ${many}`
  const ends: unknown[] = []
  const options = server.ctx.sql.options as unknown as { debug: unknown }
  options.debug = (_: number, text: string, values: unknown[]) => {
    if (text.includes('update notification_progress')) ends.push(values[0])
  }
  const ids = (
    await sql<{ id: number }[]>`
      insert into messages (sender_id, channel_id, topic, content, rendered_content, date_sent, client, renderer_version,
        wildcard_mentions)
      select sender_id, channel_id, topic, content, rendered_content, now(), client, renderer_version, wildcard_mentions
      from (select * from messages where channel_id = ${many} and wildcard_mentions <> 0) m, generate_series(1, 90)
      returning id`
  ).map(row => row.id)
  await scene.decided(ids.at(-1) ?? 0)
  options.debug = false
  t.equal(Number(ends[0]), ids[83], 'a batch ends at 50,000 candidates, 600 for each message')
})

t.test('the insert of a direct message has a transaction id before it takes the id of the message', async t => {
  const [reader, writer] = [await away(), await server.person()]
  await scene.decided(await scene.direct(writer, [reader]))
  const outside = openDatabase(server.organization.services.databaseUrl, server.organization.schema, 1)
  t.teardown(() => outside.end())
  // The statement asks for the version before it takes the id. Here it waits meanwhile.
  await sql`alter function organization_version_now() rename to present_version`
  await sql.unsafe(`
    create function organization_version_now() returns bigint language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(77);
      return present_version();
    end
    $$`)
  await outside`select pg_advisory_lock(77)`
  const sending = scene.direct(writer, [reader])
  const waiting = () => sql<{ has_xid: boolean }[]>`
    select backend_xid is not null as has_xid from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory'`
  await until(async () => (await waiting()).length > 0)
  t.same([...(await waiting())], [{ has_xid: true }])
  await outside`select pg_advisory_unlock(77)`
  t.same(await scene.reasons(await sending), { [reader.id]: 'direct_message' })
})
