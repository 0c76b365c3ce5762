import { createHash } from 'node:crypto'
import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import {
  channelOf,
  each,
  group,
  kinds,
  Listener,
  type Loose,
  people,
  refused,
  say,
  setChannel,
  setRealm,
} from './scene.js'

const server = await startServer(t)
const { ctx } = server

const edit = (who: Person, id: number, params: Loose) => who.patch(`/messages/${id}`, params)
const quiet = { send_notification_to_new_thread: false }
const read = async (who: Person, id: number) =>
  (await who.ok('GET', `/messages/${id}`, { apply_markdown: false })).message

/** Moves the message into the past. */
const age = (id: number, seconds: number) =>
  server.sql`update messages set date_sent = now() - make_interval(secs => ${seconds}) where id = ${id}`

t.test('an edit to the content that a message has already changes nothing', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'the *same*', 'old')
  const ears = await each([author, reader], person => Listener.start(ctx, person))
  const before = await read(reader, id)
  for (const content of ['the *same*', 'the *same*  \n', '\nthe *same*']) {
    t.match(await edit(author, id, { content }), { status: 200, body: { detached_uploads: [] } })
  }
  t.match(await edit(reader, id, { content: 'the *same*' }), refused(), 'of another user')
  t.match(await edit(author, id, { content: 'the *same*', prev_content_sha256: 'x' }), refused('EXPECTATION_MISMATCH'))
  t.same(await read(reader, id), before)
  const history = async () => (await reader.ok('GET', `/messages/${id}/history`)).message_history
  t.equal((await history()).length, 1)
  for (const ear of ears) t.same(await ear.inStep(t), [])
  await edit(author, id, { ...quiet, content: 'the *same*', topic: 'new' })
  const [event] = (await each(ears, ear => ear.inStep(t)))[1] ?? []
  t.match(event, { type: 'update_message', subject: 'new' })
  t.notOk(event && 'content' in event, 'only a move')
  t.match(await read(reader, id), { subject: 'new', last_edit_timestamp: undefined })
  t.equal((await history()).length, 2)
})

t.test('new content is rendered again; all who see the message get the event, with their flags', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, `old @**|${author.id}**`)
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const ears = await each([author, reader, outsider], person => Listener.start(ctx, person))
  const answer = await edit(author, id, { content: `new @**|${reader.id}**\n\n` })
  t.match(answer, { status: 200, body: { detached_uploads: [] } })
  const [[own], [event], none] = await each(ears, ear => ear.inStep(t))
  t.same(none, [])
  t.match(event, {
    type: 'update_message',
    user_id: author.id,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_id: channel.id,
    stream_name: channel.name,
    orig_content: `old @**|${author.id}**`,
    content: `new @**|${reader.id}**`,
    rendered_content: /^<p>new <span class="user-mention"/,
    flags: ['starred', 'mentioned'],
  })
  t.notOk(event && ('propagate_mode' in event || 'subject' in event))
  t.same(own?.flags, [], 'no longer mentioned')
  const message = await read(reader, id)
  t.match(message, {
    content: `new @**|${reader.id}**`,
    last_edit_timestamp: Number,
    edit_history: [{ user_id: author.id, prev_content: `old @**|${author.id}**` }],
  })
  t.notOk('last_moved_timestamp' in message)
})

t.test('empty content becomes (deleted); direct messages are edited too', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  const ear = await Listener.start(ctx, reader)
  await edit(author, id, { content: ' ' })
  const [event] = await ear.inStep(t)
  t.match(event, { content: '(deleted)', orig_content: 'hello' })
  t.notOk(event && 'stream_id' in event)
})

t.test('the hash of the content shows whether another edit was faster', async t => {
  const [author] = await people(server, 1)
  const id = await say(author, [author], 'first')
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  t.match(
    await edit(author, id, { content: 'x', prev_content_sha256: hash('other') }),
    refused('EXPECTATION_MISMATCH', { field_name: 'prev_content_sha256' }),
  )
  t.equal((await edit(author, id, { content: 'x', prev_content_sha256: hash('first') })).status, 200)
})

t.test('a message moves alone, with the later ones, or with its whole topic', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  for (const [mode, moved] of [
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ] as const) {
    const from = `from ${mode}`
    const ids = [await say(author, channel.id, 'a', from), await say(author, channel.id, 'b', from.toUpperCase())]
    ids.push(await say(reader, channel.id, 'c', from))
    await reader.ok('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'read' })
    const ear = await Listener.start(ctx, reader)
    await author.ok('PATCH', `/messages/${ids[1]}`, { topic: ` to ${mode}`, propagate_mode: mode, ...quiet })
    const events = await ear.inStep(t)
    t.equal(events.length, 1)
    t.match(events[0], {
      message_id: ids[1],
      message_ids: moved.map(i => ids[i]),
      propagate_mode: mode,
      orig_subject: from.toUpperCase(),
      subject: `to ${mode}`,
      topic_links: [],
    })
    t.notOk(events[0] && ('new_stream_id' in events[0] || 'content' in events[0]))
    const narrow = [{ operator: 'channel', operand: channel.id }, ['topic', `to ${mode}`]]
    const { messages } = await reader.ok('GET', '/messages', { anchor: 'oldest', num_after: 9, narrow })
    t.same(
      messages.map((message: Loose) => message.id),
      moved.map(i => ids[i]),
    )
    const message = await read(reader, ids[1] as number)
    t.match(message, {
      last_moved_timestamp: Number,
      edit_history: [{ prev_topic: from.toUpperCase(), topic: `to ${mode}` }],
    })
    t.notOk('last_edit_timestamp' in message)
  }
})

t.test('content and topic change at once', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await say(author, channel.id, 'old', 'old topic')
  await author.ok('PATCH', `/messages/${id}`, { content: 'new', topic: 'new topic', ...quiet })
  const message = await read(author, id)
  t.match(message, { content: 'new', subject: 'new topic' })
  t.equal(message.edit_history.length, 1)
  t.match(message.edit_history[0], { prev_content: 'old', prev_topic: 'old topic', topic: 'new topic' })
})

t.test(
  'to another channel: users without access to it get a deletion, and users who cannot see the old channel do not learn it',
  async t => {
    const [author, both, left, arriving] = await people(server, 4)
    const from = await channelOf([author, both, left], { invite_only: true })
    const to = await channelOf([author, both, arriving], { invite_only: true })
    const first = await say(author, from.id, 'first', 'moving')
    const second = await say(left, from.id, 'second', 'moving')
    const ears = await each([author, both, left, arriving], person =>
      Listener.start(ctx, person, {
        event_types: [
          'update_message',
          'delete_message',
          'message',
          'update_message_flags',
          'stream',
          'default_streams',
        ],
      }),
    )
    await author.ok('PATCH', `/messages/${first}`, {
      stream_id: to.id,
      topic: 'moved',
      propagate_mode: 'change_all',
      ...quiet,
    })
    const [own, others, lost, strangers] = await each(ears, ear => ear.events(t))
    for (const events of [own, others]) {
      t.same(kinds(events), ['stream/update', 'stream/update', 'update_message'])
      t.match(events[2], {
        message_ids: [first, second],
        stream_id: from.id,
        stream_name: from.name,
        new_stream_id: to.id,
        orig_subject: 'moving',
        subject: 'moved',
      })
      t.match(events.slice(0, 2), [
        { stream_id: from.id, property: 'first_message_id', value: null },
        { stream_id: to.id, property: 'first_message_id', value: first },
      ])
    }
    t.same(kinds(lost), ['stream/update', 'delete_message'])
    t.match(lost[1], { message_ids: [first, second], stream_id: from.id, topic: 'moving' })
    t.same(kinds(strangers), ['stream/update'])
    t.notMatch(JSON.stringify(strangers), 'moving')
    t.match(await left.get(`/messages/${first}`), refused())
    t.match(await read(arriving, second), { stream_id: to.id, subject: 'moved' })
    t.match((await read(author, second)).edit_history, [{ prev_stream: from.id, stream: to.id, prev_topic: 'moving' }])
  },
)

t.test('the notification bot says in both topics what happened', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  await say(author, channel.id, 'x', 'here')
  const id = await say(author, channel.id, 'x', 'here')
  const ear = await Listener.start(ctx, author)
  await author.ok('PATCH', `/messages/${id}`, { topic: 'there', send_notification_to_old_thread: true })
  const who = `@_**${author.full_name}|${author.id}**`
  const told = (events: Loose[]) =>
    events
      .filter(event => event.type === 'message')
      .map(({ message }) => `${message.subject}: ${message.content}`)
      .sort()
  const link = `[A message](/#narrow/channel/${channel.id}-${channel.name.replaceAll(' ', '-')}/topic/there/near/${id})`
  t.same(told(await ear.events(t)), [
    `here: ${link} was moved from this topic to #**${channel.name}>there** by ${who}.`,
    `there: ${link} was moved here from #**${channel.name}>here** by ${who}.`,
  ])
  await author.ok('PATCH', `/messages/${id}`, { topic: '✔ there', propagate_mode: 'change_all' })
  t.same(told(await ear.events(t)), [`✔ there: ${who} has marked this topic as resolved.`])
  await author.ok('PATCH', `/messages/${id}`, { topic: 'there', propagate_mode: 'change_all' })
  t.same(told(await ear.events(t)), [`there: ${who} has marked this topic as unresolved.`])
})

t.test('a new spelling of the same topic is no move: there is no notice of one', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const ids = [await say(author, channel.id, 'x', 'release plan'), await say(author, channel.id, 'x', 'release plan')]
  const both = { send_notification_to_new_thread: true, send_notification_to_old_thread: true }
  for (const [topic, propagate_mode] of [
    ['Release Plan', 'change_all'],
    ['RELEASE PLAN', 'change_one'],
    ['release PLAN', 'change_later'],
  ] as const) {
    const ear = await Listener.start(ctx, author)
    await author.ok('PATCH', `/messages/${ids[0]}`, { topic, propagate_mode, ...both })
    const events = await ear.inStep(t)
    t.same(
      events.map(({ type, subject }) => [type, subject]),
      [['update_message', topic]],
    )
  }
  t.equal((await author.ok('GET', `/users/me/${channel.id}/topics`)).topics.length, 1)
})

t.test('resolving a topic whose name becomes too long is resolving, and no move', async t => {
  const [author, other] = await people(server, 2)
  const channel = await channelOf([author, other])
  const who = `@_**${other.full_name}|${other.id}**`
  const nobody = await group(server, 'role:nobody')
  await setRealm(server, { can_move_messages_between_topics_group: nobody })
  for (const length of [58, 59, 60]) {
    const topic = `${length} ${'ü'.repeat(length - 3)}`
    const id = await say(author, channel.id, 'x', topic)
    await age(id, 8 * 24 * 60 * 60)
    const ear = await Listener.start(ctx, author)
    t.equal((await edit(other, id, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })).status, 200, topic)
    const events = await ear.inStep(t)
    const shown = length === 58 ? `✔ ${topic}` : `✔ ${topic.slice(0, 55)}...`
    t.match(events.find(({ type }) => type === 'update_message')?.subject, shown)
    const notices = events.flatMap(({ message }) => (message ? [[message.subject, message.content]] : []))
    t.same(notices, [[shown, `${who} has marked this topic as resolved.`]])
    t.match(
      await edit(other, id, { topic: `✔ ${topic}`, propagate_mode: 'change_all' }),
      refused(),
      'it is resolved, so this is nothing, or a move',
    )
    t.equal((await edit(other, id, { topic: shown.slice(2), propagate_mode: 'change_all' })).status, 200)
    t.match(await edit(other, id, { topic: `${shown.slice(2)}x`, propagate_mode: 'change_all' }), refused())
  }
  await setRealm(server, { can_move_messages_between_topics_group: await group(server, 'role:everyone') })
})

t.test('content is the sender’s alone, while that is allowed', async t => {
  const [author, reader] = await people(server, 2)
  const admin = await server.person({ role: 200 })
  const channel = await channelOf([author, reader, admin])
  const id = await say(author, channel.id)
  t.match(await edit(reader, id, { content: 'x' }), refused())
  t.match(await edit(admin, id, { content: 'x' }), refused())
  await age(id, 615)
  t.equal((await edit(author, id, { content: 'x' })).status, 200, 'some seconds of grace')
  await age(id, 700)
  t.match(await edit(author, id, { content: 'y' }), refused())
  await setRealm(server, { message_content_edit_limit_seconds: null })
  t.equal((await edit(author, id, { content: 'z' })).status, 200)
  await setRealm(server, { allow_message_editing: false })
  t.match(await edit(author, id, { content: 'w' }), refused())
  await setRealm(server, { allow_message_editing: true, message_content_edit_limit_seconds: 600 })
})

t.test('moving needs the permission of the organization or of the channel', async t => {
  const [author, other] = await people(server, 2)
  const channel = await channelOf([author, other])
  const target = await channelOf([author, other])
  const id = await say(author, channel.id)
  const nobody = await group(server, 'role:nobody')
  await setRealm(server, {
    can_move_messages_between_topics_group: nobody,
    can_move_messages_between_channels_group: nobody,
    can_resolve_topics_group: nobody,
  })
  t.match(await edit(other, id, { topic: 'new', ...quiet }), refused())
  t.match(await edit(other, id, { topic: '✔ talk', propagate_mode: 'change_all', ...quiet }), refused())
  t.match(await edit(other, id, { stream_id: target.id, ...quiet }), refused())
  const everyone = await group(server, 'role:everyone')
  await setChannel(server, channel.id, { settings: { can_resolve_topics_group: everyone } })
  t.match(
    await edit(other, id, { topic: '✔ talk', ...quiet }),
    refused(),
    'a single message is not resolved, but moved',
  )
  await setChannel(server, channel.id, {
    settings: {
      can_move_messages_within_channel_group: everyone,
      can_move_messages_out_of_channel_group: everyone,
      can_resolve_topics_group: everyone,
    },
  })
  t.equal((await edit(other, id, { topic: 'new', ...quiet })).status, 200)
  t.equal((await edit(other, id, { topic: '✔ new', ...quiet })).status, 200)
  t.equal((await edit(other, id, { stream_id: target.id, ...quiet })).status, 200)
  await setRealm(server, {
    can_move_messages_between_topics_group: everyone,
    can_move_messages_between_channels_group: await group(server, 'role:members'),
    can_resolve_topics_group: everyone,
  })
})

t.test('what is too old does not move, except for moderators', async t => {
  const [author] = await people(server, 1)
  const moderator = await server.person({ role: 300 })
  const channel = await channelOf([author, moderator])
  const ids = [await say(author, channel.id), await say(author, channel.id)]
  const week = 7 * 24 * 60 * 60
  await age(ids[0] as number, week + 60)
  t.match(await edit(author, ids[0] as number, { topic: 'x', ...quiet }), refused())
  t.match(
    await edit(author, ids[1] as number, { topic: 'x', propagate_mode: 'change_all', ...quiet }),
    refused('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
      first_message_id_allowed_to_move: ids[1],
      total_messages_in_topic: 2,
      total_messages_allowed_to_move: 1,
    }),
  )
  t.equal(
    (await edit(author, ids[1] as number, { topic: '✔ talk', propagate_mode: 'change_all', ...quiet })).status,
    200,
  )
  t.equal((await edit(moderator, ids[0] as number, { topic: 'x', propagate_mode: 'change_all', ...quiet })).status, 200)
})

t.test('what makes no sense is refused', async t => {
  const [author, other] = await people(server, 2)
  const [channel, closed] = [await channelOf([author]), await channelOf([other], { invite_only: true })]
  const id = await say(author, channel.id)
  const direct = await say(author, [other])
  const no = async (params: Loose, code = 'BAD_REQUEST', fields: Loose = {}) =>
    t.match(await edit(author, id, params), refused(code, fields), JSON.stringify(params))
  await no({})
  await no({ topic: 'talk' })
  await no({ stream_id: channel.id })
  await no({ content: 'x', propagate_mode: 'change_all' })
  await no({ topic: 'x', propagate_mode: 'change_some' })
  await no({ content: 'x', stream_id: (await channelOf([author])).id })
  await no({ content: 'a\0b' })
  await no({ topic: 'a\u0000b' })
  await no({ topic: 'x', subject: 'y' }, 'REQUEST_CONFUSING_VAR')
  await no({ stream_id: closed.id })
  await no({ stream_id: 999_999 })
  t.match(await edit(author, direct, { topic: 'x' }), refused())
  t.match(await edit(author, direct, { stream_id: channel.id }), refused())
  t.match(await edit(author, 999_999, { content: 'x' }), refused())
  t.match(await edit(author, await say(other, closed.id), { topic: 'x' }), refused(), 'as if it were not there')
  await setChannel(server, channel.id, { topics_policy: 'disable_empty_topic' })
  await no({ topic: '' }, 'BAD_REQUEST', { empty_topic_display_name: 'general chat' })
  await setChannel(server, channel.id, { is_archived: true })
  await no({ content: 'x' })
})

t.test('an edit may not mention many either', async t => {
  const many = await people(server, 16)
  const [author] = many
  const channel = await channelOf(many)
  const id = await say(author, channel.id)
  t.match(await edit(author, id, { content: '@**all**' }), refused('STREAM_WILDCARD_MENTION_NOT_ALLOWED'))
})

t.test('with protected history each user gets events about the messages that it received', async t => {
  const [owner, late] = await people(server, 2)
  const channel = await channelOf([owner], { invite_only: true, history_public_to_subscribers: false })
  const early = await say(owner, channel.id, 'early secret')
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals: [late.id] })
  const now = await say(owner, channel.id, 'now')
  const ear = await Listener.start(ctx, late)
  await owner.ok('PATCH', `/messages/${early}`, {
    topic: 'x',
    content: 'secret too',
    propagate_mode: 'change_all',
    ...quiet,
  })
  const events = await ear.events(t)
  t.match(events, [{ message_id: now, message_ids: [now], subject: 'x' }])
  t.notMatch(JSON.stringify(events), 'secret')
})

t.test('the organization says what of the changes is shown', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const id = await say(author, channel.id)
  await author.ok('PATCH', `/messages/${id}`, { content: 'x', topic: 'moved', ...quiet })
  await author.ok('PATCH', `/messages/${id}`, { content: 'y' })
  await setRealm(server, { message_edit_history_visibility_policy: 'moves' })
  const { edit_history } = await read(author, id)
  t.equal(edit_history.length, 1)
  t.notOk('prev_content' in edit_history[0])
  await setRealm(server, { message_edit_history_visibility_policy: 'none' })
  t.notOk('edit_history' in (await read(author, id)))
  await setRealm(server, { message_edit_history_visibility_policy: 'all' })
  t.equal((await read(author, id)).edit_history.length, 2)
})

t.test('a user who no longer reads a message has no star on it', async t => {
  const [author, reader, passer] = await people(server, 3)
  const from = await channelOf([author, reader])
  const to = await channelOf([author], { invite_only: true })
  const id = await say(author, from.id)
  for (const who of [author, reader, passer]) {
    await who.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  }
  const ears = await each([author, reader, passer], person => Listener.start(ctx, person))
  await author.ok('PATCH', `/messages/${id}`, { stream_id: to.id, ...quiet })
  for (const ear of ears) await ear.inStep(t)
  t.same(
    ears.map(ear => ear.state.starred_messages),
    [[id], [], []],
  )
})

t.test('only users who may see a private channel learn that messages came from it', async t => {
  const [author, reader] = await people(server, 2)
  const from = await channelOf([author], { invite_only: true })
  const to = await channelOf([author, reader])
  const id = await say(author, from.id, 'one', 'secret')
  await author.ok('PATCH', `/messages/${id}`, { topic: 'more secret', content: 'two', ...quiet })
  const ear = await Listener.start(ctx, reader)
  await author.ok('PATCH', `/messages/${id}`, {
    stream_id: to.id,
    topic: 'open',
    send_notification_to_old_thread: true,
    send_notification_to_new_thread: true,
  })
  await author.ok('PATCH', `/messages/${id}`, { topic: 'wide open', ...quiet })
  t.match((await read(author, id)).edit_history, [
    { topic: 'wide open', prev_topic: 'open' },
    { prev_stream: from.id, prev_topic: 'more secret' },
    { prev_topic: 'secret', prev_content: 'one' },
  ])
  const found = await read(reader, id)
  t.match(found.edit_history, [{ topic: 'wide open', prev_topic: 'open' }])
  t.equal(found.edit_history.length, 1)
  const narrow = [{ operator: 'channel', operand: to.id }]
  const all = await reader.ok('GET', '/messages', { anchor: 'newest', num_before: 9, narrow, apply_markdown: false })
  const told = JSON.stringify([await ear.events(t), all.messages])
  t.match(told, 'moved here from a private channel by')
  for (const word of ['secret', from.name, 'prev_stream']) t.notMatch(told, word)
})

t.test('who may follow messages into a channel without being subscribed there has read them', async t => {
  const [author, reader, former] = await people(server, 3)
  const [from, to] = [await channelOf([author, reader, former]), await channelOf([author, former])]
  await former.ok('DELETE', '/users/me/subscriptions', { subscriptions: [to.name] })
  const ids = [await say(author, from.id), await say(author, from.id)]
  await reader.ok('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' })
  const ears = await each([reader, former], person => Listener.start(ctx, person))
  await author.ok('PATCH', `/messages/${ids[0]}`, { stream_id: to.id, propagate_mode: 'change_all', ...quiet })
  for (const ear of ears) {
    const [moved, isRead] = (await ear.inStep(t)).filter(event => event.type !== 'stream')
    t.match(moved, { type: 'update_message', message_ids: ids, stream_id: from.id, new_stream_id: to.id })
    t.match(isRead, { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids, all: false })
    t.same(ear.state.unread_msgs.streams, [])
  }
  t.same(ears[0].state.starred_messages, [ids[0]])
  t.same((await read(reader, ids[0] as number)).flags, ['read', 'starred', 'historical'])
})

t.test('however often a message is edited, answers show the newest changes, and the first text is kept', async t => {
  const [author] = await people(server, 1)
  const id = await say(author, [author], 'the first')
  const history = async () => (await read(author, id)).edit_history as Loose[]
  const kept = async () => {
    const rows = await server.sql<{ prev_content: string }[]>`
      select prev_content from message_edits where message_id = ${id} order by id`
    return rows.map(row => row.prev_content)
  }
  await edit(author, id, { content: 'the second' })
  // As many edits as the server keeps, including the next one.
  await server.sql`
    insert into message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content)
    select ${id}, ${author.id}, now(), n, n from generate_series(1, ${budgets.editsKept.most}) as n`
  t.equal((await history()).length, budgets.editsInAnswer.most)
  t.equal((await history())[0]?.prev_content, String(budgets.editsKept.most))
  await edit(author, id, { content: 'the third' })
  t.equal((await history())[0]?.prev_content, 'the second')
  const texts = await kept()
  t.equal(texts.length, budgets.editsKept.most + 1)
  t.match([texts[0], texts[1], texts.at(-1)], ['the first', '2', 'the second'])
})

t.test('earlier texts have a budget of bytes, in answers and where they are kept', async t => {
  const [author] = await people(server, 1)
  const id = await say(author, [author], 'x')
  const long = (text: string) => text.padEnd(10_000, 'x')
  for (let i = 0; i < 12; i++) await edit(author, id, { content: long(`edit ${i}`) })
  const before = await author.ok('GET', `/messages/${id}`)
  const { edit_history } = before.message
  t.equal(edit_history.length, Math.floor(budgets.editBytesInAnswer.most / 20_010))
  t.match(edit_history[0].prev_content, /^edit 10x/)
  await server.sql`
    insert into message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content)
    select ${id}, ${author.id}, now(), repeat('y', 10000), repeat('y', 80000) from generate_series(1, 60)`
  await edit(author, id, { content: 'the last' })
  const [row] = await server.sql<{ bytes: number; first: string }[]>`
    select sum(octet_length(prev_content) + octet_length(prev_rendered_content))::int as bytes,
      (array_agg(prev_content order by id))[1] as first
    from message_edits where message_id = ${id}`
  t.ok(row && row.bytes <= budgets.editBytesKept.most + 100, `${row?.bytes} bytes`)
  t.equal(row?.first, 'x')
})
