import t from 'tap'
import { startServer } from '../../support/server.js'
import { callSlack, errorOf, slackClient } from './slack.js'

const server = await startServer(t)
const ann = await server.person({ full_name: 'Ann Lee', role: 200 })
const bob = await server.person({ full_name: 'Bob Kahn' })
const guest = await server.person({ full_name: 'Gus', role: 600 })
const bot = await server.person({ full_name: 'Robo', bot_type: 1, bot_owner_id: ann.id })
const makeChannel = async (name: string, options: object = {}) => {
  const { id } = await ann.ok('POST', '/channels/create', { name, subscribers: [ann.id, bot.id], ...options })
  return id as number
}
const kitchen = await makeChannel('kitchen', { description: 'Food' })
const closed = await makeChannel('closed', { invite_only: true, subscribers: [ann.id] })
const channel = `C${kitchen}`
const slack = slackClient(server, bot)

const sayIn = async (to: number, topic: string, content: string) => {
  const { id } = await ann.ok('POST', '/messages', { type: 'channel', to, topic, content })
  const { message } = await ann.ok('GET', `/messages/${id}`)
  return { id, ts: `${message.timestamp}.${String(id % 1_000_000).padStart(6, '0')}` }
}
const say = (topic: string, content: string) => sayIn(kitchen, topic, content)

t.test('channels are listed with what the program may know', async t => {
  const all = await slack.conversations.list({ types: 'public_channel,private_channel', limit: 1000 })
  const found = all.channels?.find(({ id }) => id === channel)
  t.match(found, {
    name: 'kitchen',
    is_channel: true,
    is_private: false,
    is_member: true,
    num_members: 2,
    creator: `U${ann.id}`,
    purpose: { value: 'Food' },
  })
  t.notOk(all.channels?.some(({ id }) => id === `C${closed}`))
  t.match(await slackClient(server, ann).conversations.list({ types: 'private_channel' }), {
    channels: [{ id: `C${closed}`, is_group: true, is_private: true }],
  })
  const ids: (string | undefined)[] = []
  for await (const page of slack.paginate('conversations.list', { limit: 1 })) {
    const { channels } = page as unknown as { channels: { id: string }[] }
    t.ok(channels.length <= 1)
    ids.push(...channels.map(({ id }) => id))
  }
  t.ok(ids.includes(channel))
  t.equal(new Set(ids).size, ids.length)
  t.match(await slack.users.conversations({}), { channels: [{ id: channel }] })
})

t.test('a channel has facts and members', async t => {
  t.match(await slack.conversations.info({ channel }), { channel: { id: channel, name: 'kitchen', is_member: true } })
  t.match(await slack.conversations.info({ channel: `D${bob.id}` }), { channel: { is_im: true, user: `U${bob.id}` } })
  t.match(await slack.conversations.members({ channel }), { members: [`U${ann.id}`, `U${bot.id}`] })
  const first = await slack.conversations.members({ channel, limit: 1 })
  t.match(first, { members: [`U${ann.id}`], response_metadata: { next_cursor: String(ann.id) } })
  const cursor = first.response_metadata?.next_cursor as string
  t.match(await slack.conversations.members({ channel, limit: 1, cursor }), {
    members: [`U${bot.id}`],
    response_metadata: { next_cursor: '' },
  })
  t.same((await slack.conversations.members({ channel: `D${bob.id}` })).members, [`U${bob.id}`, `U${bot.id}`])
})

t.test('a program joins and leaves', async t => {
  const other = await makeChannel('other', { subscribers: [ann.id] })
  t.match(await slack.conversations.join({ channel: `C${other}` }), { channel: { id: `C${other}`, is_member: true } })
  t.match(await slack.conversations.leave({ channel: `C${other}` }), { ok: true })
  t.match(await slack.conversations.leave({ channel: `C${other}` }), { ok: true, not_in_channel: true })
})

t.test('a program opens conversations', async t => {
  t.match(await slack.conversations.open({ users: `U${bob.id}` }), { channel: { id: `D${bob.id}` } })
  t.match(await slack.conversations.open({ users: `U${bob.id},U${ann.id}`, return_im: true }), {
    channel: { id: `G${ann.id}U${bob.id}`, is_mpim: true },
  })
})

t.test('history has the newest messages of a channel, with their threads', async t => {
  const a = await say('', 'first')
  const b = await say('lunch', 'When, **@Robo**?')
  const c = await say('Lunch', '[menu](https://a.example) @**Bob Kahn** #**kitchen** `a<b` ~~no~~ *yes*')
  const read = await slack.conversations.history({ channel, limit: 3 })
  t.match(read, {
    has_more: true,
    messages: [
      {
        ts: c.ts,
        thread_ts: b.ts,
        user: `U${ann.id}`,
        text: `<https://a.example|menu> <@U${bob.id}> <#${channel}|kitchen> \`a&lt;b\` ~no~ _yes_`,
      },
      { ts: b.ts, thread_ts: b.ts, text: 'When, *@Robo*?' },
      { ts: a.ts, text: 'first' },
    ],
  })
  t.notOk(read.messages?.[2]?.thread_ts)
  const texts = async (args: object) =>
    (await slack.conversations.history({ channel, ...args })).messages?.map(({ ts }) => ts)
  const all = (await texts({})) as string[]
  t.same(all.slice(0, 3), [c.ts, b.ts, a.ts])
  t.same(await texts({ oldest: a.ts }), [c.ts, b.ts])
  t.same(await texts({ oldest: a.ts, inclusive: true }), [c.ts, b.ts, a.ts])
  t.same(await texts({ oldest: a.ts, latest: c.ts }), [b.ts])
  t.same(await texts({ latest: '1000000000' }), [])
  t.same(await texts({ oldest: '9999999999.5' }), [])
  const paged: (string | undefined)[] = []
  for await (const page of slack.paginate('conversations.history', { channel, limit: 2 }))
    paged.push(...(page as unknown as { messages: { ts: string }[] }).messages.map(({ ts }) => ts))
  t.same(paged, all)
  t.match(await slack.conversations.replies({ channel, ts: c.ts }), {
    has_more: false,
    messages: [
      { ts: b.ts, thread_ts: b.ts },
      { ts: c.ts, thread_ts: b.ts },
    ],
  })
  const first = await slack.conversations.replies({ channel, ts: b.ts, limit: 1 })
  t.match(first, { has_more: true, messages: [{ ts: b.ts }] })
  const cursor = first.response_metadata?.next_cursor as string
  t.match(await slack.conversations.replies({ channel, ts: b.ts, limit: 1, cursor }), { messages: [{ ts: c.ts }] })
  t.match(await slack.conversations.replies({ channel, ts: a.ts }), { has_more: false, messages: [{ ts: a.ts }] })
  t.match(await slack.chat.getPermalink({ channel, message_ts: b.ts }), { permalink: /#narrow\/near\/\d+$/ })
})

t.test('where earlier history is protected, a thread begins with what the program received', async t => {
  const guarded = await makeChannel('guarded', { invite_only: true, subscribers: [ann.id] })
  const early = await sayIn(guarded, 'plan', 'before the program came')
  await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'guarded' }], principals: [bot.id] })
  const late = await sayIn(guarded, 'plan', 'after')
  const there = { channel: `C${guarded}` }
  const read = await slack.conversations.history(there)
  t.match(
    read.messages?.filter(({ text }) => text === 'after'),
    [{ ts: late.ts, thread_ts: late.ts }],
  )
  t.notOk(read.messages?.some(({ ts }) => ts === early.ts))
  t.match(await slack.chat.postMessage({ ...there, thread_ts: late.ts, text: 'seen' }), { ok: true })
  t.match((await slack.conversations.replies({ ...there, ts: late.ts })).messages, [
    { ts: late.ts },
    { thread_ts: late.ts, text: 'seen' },
  ])
  t.equal(await errorOf(slack.conversations.replies({ ...there, ts: early.ts })), 'thread_not_found')
  t.match((await slackClient(server, ann).conversations.replies({ ...there, ts: late.ts })).messages, [
    { thread_ts: early.ts },
    { thread_ts: early.ts },
    { thread_ts: early.ts },
  ])
})

t.test('reactions have the names of Slack', async t => {
  const { id, ts: timestamp } = await say('', 'react')
  t.match(await slack.reactions.add({ channel, timestamp, name: 'thumbsup' }), { ok: true })
  t.equal(await errorOf(slack.reactions.add({ channel, timestamp, name: '+1' })), 'already_reacted')
  t.equal(await errorOf(slack.reactions.add({ channel, timestamp, name: 'no such emoji' })), 'invalid_name')
  t.match((await ann.ok('GET', `/messages/${id}`)).message.reactions, [{ emoji_code: '1f44d', user_id: bot.id }])
  t.match(await slack.reactions.get({ channel, timestamp }), {
    message: { reactions: [{ name: '+1', users: [`U${bot.id}`], count: 1 }] },
  })
  t.match(await slack.reactions.remove({ channel, timestamp, name: 'thumbsup' }), { ok: true })
  t.equal(await errorOf(slack.reactions.remove({ channel, timestamp, name: 'thumbsup' })), 'no_reaction')
  t.equal(await errorOf(slack.reactions.add({ channel, timestamp: '1.5', name: 'tada' })), 'message_not_found')
})

t.test('users have the form of Slack', async t => {
  const all = (await slack.users.list({})).members
  t.match(
    all?.find(({ id }) => id === `U${bob.id}`),
    { real_name: 'Bob Kahn', is_bot: false, deleted: false, profile: { display_name: 'Bob Kahn' } },
  )
  t.match(await slack.users.info({ user: `U${ann.id}` }), { user: { id: `U${ann.id}`, is_admin: true } })
  t.match(await slack.users.info({ user: `U${guest.id}` }), { user: { is_restricted: true } })
  t.match(await slack.users.lookupByEmail({ email: bob.email }), { user: { id: `U${bob.id}` } })
  t.match(await slack.bots.info({ bot: `B${bot.id}` }), { bot: { name: 'Robo', user_id: `U${bot.id}` } })
})

t.test('what the program may not see or name is refused', async t => {
  const hidden = await sayIn(closed, 'plan', 'secret')
  const own = slackClient(server, ann)
  t.match(await own.conversations.history({ channel: `C${closed}` }), { ok: true })
  for (const [call, error] of [
    [() => slack.conversations.info({ channel: `C${closed}` }), 'channel_not_found'],
    [() => slack.conversations.members({ channel: `C${closed}` }), 'channel_not_found'],
    [() => slack.conversations.join({ channel: `C${closed}` }), 'method_not_supported_for_channel_type'],
    [() => slack.conversations.join({ channel: `D${bob.id}` }), 'method_not_supported_for_channel_type'],
    [() => slack.conversations.replies({ channel: `C${closed}`, ts: hidden.ts }), 'thread_not_found'],
    [() => slack.conversations.replies({ channel, ts: hidden.ts }), 'thread_not_found'],
    [() => slack.chat.getPermalink({ channel: `C${closed}`, message_ts: hidden.ts }), 'message_not_found'],
    [() => slack.conversations.info({ channel: 'C999999' }), 'channel_not_found'],
    [() => slack.conversations.open({ users: 'U999999' }), 'user_not_found'],
    [() => slack.conversations.open({ users: 'x' }), 'user_not_found'],
    [() => slack.conversations.open({ channel }), 'method_not_supported_for_channel_type'],
    [
      () => slack.conversations.open({ users: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(id => `U${id}`).join() }),
      'too_many_users',
    ],
    [() => slack.users.info({ user: 'U999999' }), 'user_not_found'],
    [() => slack.users.info({ user: '7' }), 'user_not_found'],
    [() => slack.users.lookupByEmail({ email: 'nobody@test.example' }), 'users_not_found'],
    [() => slack.users.lookupByEmail({ email: '1' }), 'users_not_found'],
    [() => slack.bots.info({ bot: `B${bob.id}` }), 'bot_not_found'],
    [() => slack.bots.info({ bot: 'B999999' }), 'bot_not_found'],
  ] as const) {
    t.equal(await errorOf(call()), error)
  }
  const { messages } = (await slack.conversations.history({ channel: `C${closed}` }).catch(() => ({}))) as {
    messages?: unknown[]
  }
  t.notOk(messages?.length, 'a channel that the program cannot read shows it nothing')
  t.equal((await slackClient(server, guest).conversations.list({})).channels?.length, 0)
})

t.test('wrong arguments are refused', async t => {
  for (const [method, args, error] of [
    ['conversations.history', {}, 'invalid_arguments'],
    ['conversations.history', { channel, limit: 0 }, 'invalid_arguments'],
    ['conversations.history', { channel, limit: 1000 }, 'invalid_arguments'],
    ['conversations.history', { channel, limit: 'many' }, 'invalid_arguments'],
    ['conversations.history', { channel, cursor: 'x' }, 'invalid_cursor'],
    ['conversations.history', { channel, cursor: '9'.repeat(30) }, 'invalid_cursor'],
    ['conversations.history', { channel, oldest: 'x' }, 'invalid_ts_oldest'],
    ['conversations.history', { channel, latest: '1e9' }, 'invalid_ts_latest'],
    ['conversations.history', { channel, inclusive: 'perhaps' }, 'invalid_arguments'],
    ['conversations.history', { channel: { id: channel } }, 'invalid_arguments'],
    ['conversations.history', { channel: 'x'.repeat(401) }, 'invalid_arguments'],
    ['conversations.replies', { channel }, 'invalid_arguments'],
    ['conversations.list', { limit: 1001 }, 'invalid_arguments'],
    ['conversations.list', { cursor: '-1' }, 'invalid_cursor'],
    ['conversations.list', { types: 3 }, 'invalid_arguments'],
    ['conversations.open', {}, 'users_list_not_supplied'],
    ['users.info', {}, 'invalid_arguments'],
    ['users.list', { cursor: 'dXNlcjpVMDYxTkZUVDI=' }, 'invalid_cursor'],
    ['reactions.add', { channel, timestamp: '1.5' }, 'invalid_arguments'],
  ] as const) {
    const { status, body } = await callSlack(server, method, { args, token: bot.api_key })
    t.match({ status, body }, { status: 200, body: { ok: false, error } }, `${method} ${JSON.stringify(args)}`)
  }
})
