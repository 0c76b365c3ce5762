import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { limits } from '../../shared/limits.js'
import { statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const bot = await server.person({ bot_type: 1 })

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const words = (count: number) => numbers(count).map(n => `w${n}`)
const channels = (count: number) => words(count).map(name => ({ name }))
const { idsPerList, groupsPerList, channelsPerRequest, principalsPerRequest, storageKeys } = budgets
const subscriptions = '/users/me/subscriptions'

type Params = Record<string, unknown>
/** The parameters of each operation with a given number of items, and the largest accepted number. */
const lists: readonly [name: string, most: number, method: string, path: string, params: (count: number) => Params][] =
  [
    ['subscriptions', channelsPerRequest.most, 'POST', subscriptions, n => ({ subscriptions: channels(n) })],
    [
      'principals by id',
      principalsPerRequest.most,
      'POST',
      subscriptions,
      n => ({ subscriptions: channels(1), principals: numbers(n) }),
    ],
    [
      'principals by address',
      principalsPerRequest.most,
      'POST',
      subscriptions,
      n => ({ subscriptions: channels(1), principals: words(n) }),
    ],
    ['channels to leave', channelsPerRequest.most, 'DELETE', subscriptions, n => ({ subscriptions: words(n) })],
    [
      'principals who leave',
      principalsPerRequest.most,
      'DELETE',
      subscriptions,
      n => ({ subscriptions: ['w'], principals: numbers(n) }),
    ],
    [
      'properties',
      channelsPerRequest.most,
      'POST',
      `${subscriptions}/properties`,
      n => ({ subscription_data: numbers(n).map(stream_id => ({ stream_id, property: 'is_muted', value: true })) }),
    ],
    [
      'subscribers of a new channel',
      principalsPerRequest.most,
      'POST',
      '/channels/create',
      n => ({ name: 'new', subscribers: numbers(n) }),
    ],
    [
      'members of a group',
      idsPerList.most,
      'POST',
      '/user_groups/create',
      n => ({ name: 'g', description: '', members: numbers(n) }),
    ],
    [
      'subgroups',
      groupsPerList.most,
      'POST',
      '/user_groups/create',
      n => ({ name: 'g', description: '', members: [], subgroups: numbers(n) }),
    ],
    [
      'users of a permission',
      budgets.settingMembers.most,
      'POST',
      '/user_groups/create',
      n => ({ name: 'g', description: '', members: [], can_join_group: { direct_members: numbers(n) } }),
    ],
    ['new members', idsPerList.most, 'POST', '/user_groups/1/members', n => ({ add: numbers(n) })],
    ['members who leave', idsPerList.most, 'POST', '/user_groups/1/members', n => ({ delete: numbers(n) })],
    [
      'messages to flag',
      idsPerList.most,
      'POST',
      '/messages/flags',
      n => ({ messages: numbers(n), op: 'add', flag: 'read' }),
    ],
    ['messages to read', limits.messages_per_fetch, 'POST', '/messages?method=GET', n => ({ message_ids: numbers(n) })],
    ['users', idsPerList.most, 'POST', '/users?method=GET', n => ({ user_ids: numbers(n) })],
    [
      'whose settings',
      idsPerList.most,
      'PATCH',
      '/settings',
      n => ({ enter_sends: true, target_users: { user_ids: numbers(n) } }),
    ],
    ['who is typed to', budgets.recipients.most, 'POST', '/typing', n => ({ op: 'start', to: numbers(n) })],
    [
      'recipients',
      budgets.recipients.most,
      'POST',
      '/messages',
      n => ({ type: 'direct', content: 'x', to: numbers(n) }),
    ],
    ['event types', budgets.eventTypes.most, 'POST', '/register', n => ({ event_types: words(n) })],
    ['linkifiers', budgets.linkifiers.most, 'PATCH', '/realm/linkifiers', n => ({ ordered_linkifier_ids: numbers(n) })],
  ]

for (const [name, most, method, path, params] of lists) {
  t.test(`${name}: one more than ${most} is refused before anything is asked of the database`, async t => {
    await owner.get('/users/me')
    let answer: Awaited<ReturnType<typeof owner.call>> | undefined
    const statements = await statementsOf(server, async () => {
      answer = await owner.call(method, path, params(most + 1) as never)
    })
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST', msg: new RegExp(`at most ${most} `) } })
    t.same(
      statements.filter(text => !/^select version from organization/.test(text)),
      [],
    )
  })
}

for (const method of ['PUT', 'GET', 'DELETE']) {
  t.test(`${method} bot_storage: one key more than ${storageKeys.most} is refused`, async t => {
    const keys = words(storageKeys.most + 1)
    const params = method === 'PUT' ? { storage: Object.fromEntries(keys.map(key => [key, ''])) } : { keys }
    const answer = await bot.call(method, '/bot_storage', params)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST', msg: /at most \d+ / } })
    t.same((await bot.ok('GET', '/bot_storage')).storage, {})
  })
}

t.test('a request makes at most so many channels; those that are there already do not count', async t => {
  const { most } = budgets.newChannelsPerRequest
  const count = async () => (await server.sql`select count(*)::int as n from channels`)[0]?.n
  const before = await count()
  const named = (prefix: string, number: number) => numbers(number).map(n => ({ name: `${prefix} ${n}` }))
  const refused = await owner.post(subscriptions, { subscriptions: named('many', most + 1) })
  t.match(refused, { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 100 channels/ } })
  t.equal(await count(), before)
  await owner.ok('POST', subscriptions, { subscriptions: named('many', most) })
  t.equal(await count(), before + most)
  await owner.ok('POST', subscriptions, { subscriptions: [...named('many', most), ...named('more', most)] })
  t.equal(await count(), before + 2 * most)
})

t.test('users times channels of one request have a bound', async t => {
  const message = { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 5000 subscriptions/ } }
  const params = (users: number, names: number) => ({ subscriptions: channels(names), principals: numbers(users) })
  t.match(await owner.post(subscriptions, params(501, 10)), message)
  t.match(await owner.post(subscriptions, params(51, 100)), message)
  const leaving = { subscriptions: words(10), principals: numbers(501) }
  t.match(await owner.delete(subscriptions, leaving), message)
})

const flagging = { anchor: 'newest', num_before: 1, num_after: 1, op: 'add', flag: 'read' }
const malformed = `[${'1,'.repeat(150_000)}x`
const texts: readonly [method: string, path: string, name: string, rest: Params, refusal: RegExp][] = [
  ['POST', '/messages/flags', 'messages', { op: 'add', flag: 'read' }, /^messages: Too many: at most 10000 items/],
  ['POST', '/messages', 'to', { type: 'direct', content: 'x' }, /at most 500 people/],
  ['POST', '/messages', 'to', { type: 'channel', topic: 't', content: 'x' }, /at most 500 people/],
  ['DELETE', subscriptions, 'subscriptions', {}, /^subscriptions: Too many: at most 1000 items/],
  ['POST', '/messages/flags/narrow', 'narrow', flagging, /more than 50 terms/],
  ['POST', '/register', 'narrow', {}, /more than 50 terms/],
]

for (const [method, path, name, rest, msg] of texts) {
  t.test(`${name} of ${method} ${path}: a long list is counted before it is parsed`, async t => {
    // A text of `to` is at most 200,000 characters long.
    const list = name === 'to' ? malformed.slice(0, 150_000) : malformed
    t.match(await owner.call(method, path, { ...rest, [name]: list } as never), { status: 400, body: { msg } })
    const short = await owner.call(method, path, { ...rest, [name]: '[1,x' } as never)
    t.equal(short.status, 400)
    t.notMatch(short.body.msg, msg)
  })
}

t.test('a list within a parameter is counted before it is parsed, too', async t => {
  const list = '1,'.repeat(20_000)
  const cases: readonly [string, string, Params, object][] = [
    [
      'PATCH',
      '/users/me/profile_data',
      { data: `[{"id":1,"value":[${list}` },
      { msg: /^data\[0\]\["value"\]: Too many/ },
    ],
    ['PATCH', '/settings', { target_users: `{"user_ids":[${list}` }, { msg: /^target_users\["user_ids"\]: Too many/ }],
    ['POST', '/drafts', { drafts: `[{},{"to":[${list}` }, { msg: /^drafts\[1\]\["to"\]: Too many/ }],
    [
      'POST',
      '/messages/flags/narrow',
      { ...flagging, narrow: `[["dm",[${list}` },
      { code: 'BAD_NARROW', desc: /more than 10000 ch/ },
    ],
    [
      'POST',
      '/messages/flags/narrow',
      { ...flagging, narrow: `[["dm",1,${list}` },
      { code: 'BAD_NARROW', desc: /not a pair/ },
    ],
  ]
  for (const [method, path, params, body] of cases) {
    t.match(await owner.call(method, path, params as never), { status: 400, body }, `${path} ${Object.keys(params)}`)
  }
})

t.test('what a list has twice is taken once, and counts twice for its bound', async t => {
  const again = <Item>(item: Item) => Array.from({ length: 500 }, () => item)
  const tooMany = { type: 'direct', to: [...again(owner.id), owner.id], content: 'x' }
  t.match(await owner.post('/messages', tooMany), { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 500/ } })
  const { id } = await owner.ok('POST', '/messages', { type: 'direct', to: again(owner.id), content: 'x' })
  const flags = { messages: again(id), op: 'add', flag: 'starred' }
  t.same((await owner.ok('POST', '/messages/flags', flags)).messages, [id])
  const { group_id } = await owner.ok('POST', '/user_groups/create', {
    name: 'twice',
    description: '',
    members: again(owner.id),
  })
  t.same((await owner.ok('GET', `/user_groups/${group_id}/members`)).members, [owner.id])
  const { subscribed } = await owner.ok('POST', subscriptions, {
    subscriptions: [{ name: 'twice' }],
    principals: again(owner.id),
  })
  t.same(subscribed, { [owner.id]: ['twice'] })
  const { removed } = await owner.ok('DELETE', subscriptions, { subscriptions: again('twice') })
  t.same(removed, ['twice'])
  await bot.ok('PUT', '/bot_storage', { storage: { key: 'x' } })
  t.same((await bot.ok('GET', '/bot_storage', { keys: again('key') })).storage, { key: 'x' })
})
