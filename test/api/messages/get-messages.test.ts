import t from 'tap'
import { basic, formEncode } from '../../support/http.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { channelOf, type Loose, people, refused, say, setChannel, setRealm } from './scene.js'

const server = await startServer(t)

const newest = { anchor: 'newest', num_before: 100 }

const idsOf = ({ messages }: Loose): number[] => messages.map((message: Loose) => message.id)

/** Ids of the messages that the user finds; checks the answer against the reference schemas. */
async function find(person: Person, narrow: unknown, params: Loose = newest): Promise<number[]> {
  const body = await person.ok('GET', '/messages', { ...params, narrow })
  t.same(
    body.messages.flatMap((message: Loose) => checkObject('message', message)),
    [],
  )
  return idsOf(body)
}

t.test('a page around an anchor', async t => {
  const [reader] = await people(server, 1)
  const ids: number[] = []
  for (let i = 0; i < 7; i++) ids.push(await say(reader, [reader], `${i}`))
  const at = (i: number) => ids[i] as number
  const page = async (params: Loose) => {
    const { messages: _, ...body } = await reader.ok('GET', '/messages', params)
    const all = await reader.ok('GET', '/messages', params)
    return { ids: idsOf(all), ...body }
  }
  const flags = (anchor: boolean, oldest: boolean, latest: boolean) => ({
    found_anchor: anchor,
    found_oldest: oldest,
    found_newest: latest,
    history_limited: false,
  })
  t.match(await page({ anchor: 'newest', num_before: 3 }), {
    ids: ids.slice(4),
    anchor: 10_000_000_000_000_000,
    ...flags(false, false, true),
  })
  t.match(await page({ anchor: 'oldest', num_after: 3 }), {
    ids: ids.slice(0, 3),
    anchor: 0,
    ...flags(false, true, false),
  })
  t.match(await page({ anchor: String(at(3)), num_before: 1, num_after: 2 }), {
    ids: ids.slice(2, 6),
    anchor: at(3),
    ...flags(true, false, false),
  })
  t.match(await page({ anchor: String(at(3)), num_before: 9, num_after: 9 }), { ids, ...flags(true, true, true) })
  t.match(await page({ anchor: String(at(3)), num_before: 2, include_anchor: false }), {
    ids: ids.slice(1, 3),
    ...flags(false, false, false),
  })
  t.match(await page({ anchor: String(at(3)) }), { ids: [at(3)], ...flags(true, false, false) })
  t.match(await page({ anchor: '-5', num_after: 1 }), { ids: [at(0)], anchor: 0 })
  t.match(await page({ anchor: 'first_unread', num_after: 1 }), { ids: ids.slice(0, 2), anchor: at(0) })
  await reader.ok('POST', '/messages/flags', { messages: ids.slice(0, 4), op: 'add', flag: 'read' })
  t.match(await page({ use_first_unread_anchor: true, num_before: 1 }), { ids: ids.slice(3, 5), anchor: at(4) })
  await reader.ok('POST', '/mark_all_as_read')
  t.match(await page({ anchor: 'first_unread', num_before: 1 }), { ids: [at(6)], anchor: 10_000_000_000_000_000 })
  await server.sql`update messages set date_sent = '2020-05-05T05:05:05Z' where id = any(${ids.slice(0, 2)})`
  await server.sql`update messages set date_sent = '2010-01-01' where id < ${at(0)}`
  t.match(await page({ anchor: 'date', anchor_date: '2021-01-01T00:00:00Z', num_before: 1 }), {
    ids: ids.slice(1, 3),
    anchor: at(2),
  })
  t.match(await page({ anchor: 'date', anchor_date: '2020-05-05', num_after: 0 }), { ids: [at(0)] })
  t.match(await page({ anchor: 'date', anchor_date: '2999-01-01', num_before: 1 }), { ids: [at(6)] })
})

t.test('single messages, as far as they may be read', async t => {
  const [reader, other] = await people(server, 2)
  const mine = await say(other, [reader])
  const theirs = await say(other, [other])
  const open = await say(other, (await channelOf([other])).id)
  const closed = await say(other, (await channelOf([other], { invite_only: true })).id)
  const body = await reader.ok('GET', '/messages', { message_ids: [open, theirs, closed, mine, 999_999] })
  t.same(idsOf(body), [mine, open])
  t.match(body, { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false })
  t.notOk('anchor' in body)
  t.match(
    await reader.get('/messages', { message_ids: [mine], anchor: 'newest' }),
    refused('BAD_REQUEST', { parameters: 'anchor, message_ids' }),
  )
})

t.test('without a narrow one finds what one received', async t => {
  const [reader, other] = await people(server, 2)
  const [mine, theirs] = [await channelOf([other, reader]), await channelOf([other])]
  const early = await say(other, theirs.id)
  const direct = await say(other, [reader])
  await say(other, [other])
  const inMine = await say(other, mine.id)
  t.same(await find(reader, []), [direct, inMine])
  await reader.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: theirs.name }] })
  const late = await say(other, theirs.id)
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [theirs.name] })
  await say(other, theirs.id)
  t.same(await find(reader, []), [direct, inMine, late], 'as long as one was subscribed')
  t.same(await find(reader, [{ operator: 'channel', operand: theirs.id }], { anchor: 'oldest', num_after: 2 }), [
    early,
    late,
  ])
})

t.test('the history of a public channel is open, with what one never received marked so', async t => {
  const [reader, other] = await people(server, 2)
  const channel = await channelOf([other])
  const id = await say(other, channel.id)
  for (const operand of [channel.id, channel.name, String(channel.id)]) {
    const { messages } = await reader.ok('GET', '/messages', {
      ...newest,
      narrow: [{ operator: 'stream', operand: operand }],
    })
    t.match(messages, [{ id, flags: ['read', 'historical'] }])
  }
  const guest = await server.person({ role: 600 })
  t.match(
    await guest.get('/messages', { ...newest, narrow: [{ operator: 'channel', operand: channel.id }] }),
    refused('BAD_NARROW', { desc: /unknown channel/ }),
    'not to a guest',
  )
})

t.test('in a private channel with protected history one finds what came while one was there', async t => {
  const [owner, reader] = await people(server, 2)
  const channel = await channelOf([owner], { invite_only: true, history_public_to_subscribers: false })
  const early = await say(owner, channel.id, 'early')
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [reader.id],
  })
  const late = await say(owner, channel.id, 'late')
  for (const narrow of [
    [{ operator: 'channel', operand: channel.id }],
    [{ operator: 'channel', operand: channel.id }, ['search', 'early late']],
    [{ operator: 'id', operand: early }],
  ]) {
    const found = await find(reader, narrow)
    t.notOk(found.includes(early), JSON.stringify(narrow))
  }
  t.same(await find(reader, [{ operator: 'channel', operand: channel.id }]), [late])
  t.same(idsOf(await reader.ok('GET', '/messages', { message_ids: [early, late] })), [late])
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name], principals: [reader.id] })
  t.match(
    await reader.get('/messages', { ...newest, narrow: [{ operator: 'channel', operand: channel.id }] }),
    refused('BAD_NARROW'),
  )
  t.notOk((await find(reader, [])).includes(late), 'who left reads nothing more of it')
})

t.test('is:muted finds muted topics and muted channels, each message once', async t => {
  const [reader, other] = await people(server, 2)
  const channel = await channelOf([reader, other])
  const muted = await channelOf([reader, other])
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
  })
  const policy = (id: number, topic: string, visibility_policy: number) =>
    reader.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy })
  await policy(channel.id, 'Quiet', 1)
  await policy(muted.id, 'both', 1)
  await policy(muted.id, 'heard', 2)
  await say(other, channel.id, 'x', 'loud')
  await say(other, muted.id, 'x', 'Heard')
  const found = [
    await say(other, channel.id, 'x', 'quiet'),
    await say(other, muted.id, 'x', 'both'),
    await say(other, muted.id, 'x', 'other'),
    await say(other, muted.id, 'x', 'Both'),
  ]
  t.same(await find(reader, [['is', 'muted']]), found)
  const page = await reader.ok('GET', '/messages', { ...newest, num_before: 3, narrow: [['is', 'muted']] })
  t.same(
    page.messages.map((message: Loose) => message.id),
    found.slice(1),
  )
  t.equal(page.found_oldest, false)
})

t.test('every narrow finds what it says, and its opposite the rest', async t => {
  const [reader, other, third] = await people(server, 3)
  const channel = await channelOf([reader, other])
  const muted = await channelOf([reader, other])
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
  })
  const all: Loose = {
    plain: await say(other, channel.id, 'plain words', 'One'),
    link: await say(other, channel.id, 'https://example.com', 'one'),
    mention: await say(other, channel.id, `@**|${reader.id}**`, 'Two'),
    everyone: await say(other, channel.id, '@**all**', 'Two'),
    resolved: await say(other, channel.id, 'done', '✔ Two'),
    unnamed: await say(other, channel.id, 'no name', ''),
    quiet: await say(other, muted.id, 'quiet', 'One'),
    alone: await say(other, [reader], 'to you'),
    three: await say(other, [reader, third], 'to you two'),
    own: await say(reader, [other], 'mine'),
  }
  await reader.ok('POST', '/messages/flags', { messages: [all.plain], op: 'add', flag: 'starred' })
  await reader.ok('POST', '/messages/flags', { messages: [all.plain, all.link], op: 'add', flag: 'read' })
  await other.ok('POST', `/messages/${all.link}/reactions`, { emoji_name: 'eyes' })
  const inChannel = ['plain', 'link', 'mention', 'everyone', 'resolved', 'unnamed']
  const cases: [string, unknown, string[]][] = [
    ['channel', channel.name, inChannel],
    ['topic', 'ONE', ['plain', 'link', 'quiet']],
    ['topic', '', ['unnamed']],
    ['topic', 'general chat', ['unnamed']],
    ['dm', [other.id], ['alone', 'own']],
    ['pm-with', other.email, ['alone', 'own']],
    ['dm', `${other.id},${third.id}`, ['three']],
    ['dm-including', other.id, ['alone', 'three', 'own']],
    ['dm-including', third.id, ['three']],
    ['group-pm-with', other.email, ['three']],
    ['sender', 'me', ['own']],
    ['from', other.email, Object.keys(all).filter(name => name !== 'own')],
    ['mentions', reader.id, ['mention']],
    ['is', 'dm', ['alone', 'three', 'own']],
    ['is', 'private', ['alone', 'three', 'own']],
    ['is', 'starred', ['plain']],
    ['is', 'mentioned', ['mention', 'everyone']],
    ['is', 'alerted', []],
    ['is', 'unread', Object.keys(all).filter(name => !['plain', 'link'].includes(name))],
    ['is', 'resolved', ['resolved']],
    ['is', 'muted', ['quiet']],
    // A mentioned user follows the topic.
    ['is', 'followed', ['mention', 'everyone']],
    ['has', 'link', ['link']],
    ['has', 'image', []],
    ['has', 'attachment', []],
    ['has', 'reaction', ['link']],
    ['in', 'home', Object.keys(all).filter(name => name !== 'quiet')],
    ['in', 'all', Object.keys(all)],
    ['id', String(all.three), ['three']],
    ['near', all.three, Object.keys(all)],
    ['near', 'x', Object.keys(all)],
    ['after', '2020-01-01', Object.keys(all)],
    ['before', '2020-01-01T12:00:00+02:00', []],
    ['search', 'word', ['plain']],
    ['search', '"to you two"', ['three']],
  ]
  for (const [operator, operand, names] of cases) {
    const found = names.map(name => all[name])
    const rest = Object.values(all).filter(id => !found.includes(id))
    t.same(await find(reader, [{ operator, operand }]), found, `${operator}:${operand}`)
    if (operator === 'near') continue
    t.same(await find(reader, [{ operator, operand, negated: true }]), rest, `-${operator}:${operand}`)
  }
  const both = [
    { operator: 'topic', operand: 'one' },
    { operator: 'channel', operand: channel.id },
    { operator: 'has', operand: 'link', negated: true },
  ]
  t.same(await find(reader, both), [all.plain], 'all of them must hold')
  t.same(await find(reader, [{ operator: 'with', operand: all.link }]), [all.plain, all.link])
  t.same(
    await find(reader, [
      { operator: 'with', operand: all.three },
      { operator: 'channel', operand: channel.id },
    ]),
    [all.three],
  )
  t.same(
    await find(reader, [
      { operator: 'with', operand: 999_999 },
      { operator: 'channel', operand: channel.id },
      ['topic', 'two'],
    ]),
    [all.mention, all.everyone],
  )
  t.ok((await find(reader, [['channels', 'public']])).includes(all.plain))
  t.same(await find(reader, [['channels', 'web-public']]), [])
})

t.test('a narrow beyond its budgets reaches no search, however it was sent', async t => {
  const [reader] = await people(server, 1)
  const narrow = [['search', '"some words" '.repeat(10_000)]]
  const refusal = refused('BAD_NARROW', { desc: /^more than / })
  const sent = await statementsOf(server, async () => {
    const body = formEncode({ ...newest, narrow, method: 'GET' })
    const headers = { Authorization: basic(reader) }
    const answer = await fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers, body })
    t.match({ status: answer.status, body: await answer.json() }, refusal)
    const flags = { op: 'add', flag: 'read', num_after: 0, narrow }
    t.match(await reader.post('/messages/flags/narrow', { ...newest, ...flags }), refusal)
  })
  t.notOk(sent.some(text => text.includes('tsquery')))
})

t.test('a search marks what it found, in safe HTML', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  await say(reader, channel.id, 'Walking & <talking> https://walk.example/walk?a=1&b=2 \ue000', 'the <walk> & more')
  const { messages } = await reader.ok('GET', '/messages', { ...newest, narrow: [['search', 'walk amp']] })
  t.same(messages, [], 'all words must be there')
  const body = await reader.ok('GET', '/messages', { ...newest, narrow: [['search', 'walked']] })
  const [{ match_content, match_subject, content }] = body.messages
  t.match(match_content, '<span class="highlight">Walking</span> &amp; &lt;talking&gt;')
  t.equal(match_content.replace(/<span class="highlight">|<\/span>/g, ''), content)
  t.equal(match_subject, 'the &lt;<span class="highlight">walk</span>&gt; &amp; more')
})

t.test('a spectator reads what is open to the web, if the organization lets it in', async t => {
  const [owner] = await people(server, 1)
  const [open, closed] = [await channelOf([owner]), await channelOf([owner])]
  await setChannel(server, open.id, { is_web_public: true })
  const id = await say(owner, open.id, 'for all')
  await say(owner, closed.id, 'for us')
  const spectator = server.api(null)
  const narrow = [['channels', 'web-public']]
  t.match(await spectator.get('/messages', { ...newest, narrow }), { status: 401, body: { code: 'UNAUTHORIZED' } })
  await setRealm(server, { enable_spectator_access: true })
  const { messages } = await spectator.ok('GET', '/messages', { ...newest, narrow })
  t.match(messages, [{ id, flags: ['read', 'historical'] }])
  t.equal((await spectator.get(`/messages/${id}`)).status, 200)
  const unauthorized = { status: 401, body: { code: 'UNAUTHORIZED' } }
  t.match(await spectator.get('/messages', newest), unauthorized, 'no narrow')
  t.match(await spectator.get('/messages', { ...newest, narrow: [...narrow, ['is', 'dm']] }), unauthorized)
  t.match(
    await spectator.get('/messages', { ...newest, narrow: [{ operator: 'channel', operand: closed.id }] }),
    unauthorized,
  )
  t.match(
    await spectator.get('/messages', { ...newest, narrow: [...narrow, { operator: 'channel', operand: closed.id }] }),
    refused('BAD_NARROW'),
  )
  await setRealm(server, { enable_spectator_access: false })
})

t.test('the client says what form it wants', async t => {
  const [reader] = await people(server, 1)
  const hidden = await server.person({ email_address_visibility: 4 })
  const channel = await channelOf([reader, hidden])
  await say(reader, channel.id, '*x*', '')
  await say(hidden, channel.id, '*x*', '')
  const get = async (params: Loose) =>
    (
      await reader.ok('GET', '/messages', {
        ...newest,
        narrow: [{ operator: 'channel', operand: channel.id }],
        ...params,
      })
    ).messages
  t.match(await get({}), [
    { content: '<p><em>x</em></p>', content_type: 'text/html', avatar_url: null, subject: 'general chat' },
    { avatar_url: /^http/, sender_email: /^user\d+@/ },
  ])
  t.match(await get({ apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true }), [
    { content: '*x*', content_type: 'text/x-markdown', avatar_url: /^http/, subject: '' },
    {},
  ])
})

t.test('invalid requests are refused', async t => {
  const [reader] = await people(server, 1)
  const get = (params: Loose) => reader.get('/messages', params)
  t.match(await get({ num_before: 1 }), refused(), 'no anchor')
  t.match(await get({ anchor: 'middle', num_before: 1 }), refused())
  t.match(await get({ anchor: 'date', num_before: 1 }), refused())
  for (const anchor_date of [
    'soon',
    '2026-02-30',
    '2026-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01 junk',
    '0000-01-01',
  ]) {
    t.match(await get({ anchor: 'date', anchor_date, num_before: 1 }), refused(), anchor_date)
  }
  t.match(await get({ anchor: 'newest', num_before: -1 }), refused())
  t.match(await get({ anchor: 'newest', num_before: 5000, num_after: 1 }), refused(), 'too many')
  t.match(await get({ anchor: '5', num_before: 1, num_after: 1, include_anchor: false }), refused())
  t.match(await get({ ...newest, narrow: 'words' }), refused())
  const narrows = [
    [['is', 'purple']],
    [['colour', 'red']],
    [['channel', 'no such channel']],
    [['sender', 'nobody@test.example']],
    [{ operator: 'dm', operand: [999_999] }],
    [['id', 'x']],
    [['has', 'legs']],
    ...['', 'soon', '2026-02-30', '2026-01-01T24:00:00Z', '0000-01-01'].map(day => [['before', day]]),
    [{ operator: 'after', operand: 20_260_101 }],
    [
      ['after', '2026-01-01'],
      ['after', '2026-01-02'],
    ],
    [
      { operator: 'with', operand: 1 },
      { operator: 'with', operand: 2 },
    ],
    [{ operator: 'with', operand: 999_999 }],
    // Pairs hold strings.
    [['channel', 1]],
    [['dm', [reader.id]]],
    [['near', 1]],
  ]
  for (const narrow of narrows) t.match(await get({ ...newest, narrow }), refused('BAD_NARROW', { desc: String }))
  for (const operand of ['', ' ']) {
    const desc = "operand of 'search' cannot be blank"
    t.match(await get({ ...newest, narrow: [['search', operand]] }), refused('BAD_NARROW', { desc }))
  }
})

t.test('before and after limit a search to a time, at any anchor and in each scope', async t => {
  // Of its own: times ascend with ids in an organization.
  const organization = await startServer(t)
  const [reader, other] = await people(organization, 2)
  const channel = await channelOf([reader, other])
  const ids: number[] = []
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
    const id = await say(other, channel.id, `report of ${day}`)
    await organization.sql`update messages set date_sent = ${new Date(`${day}T12:00:00Z`)} where id = ${id}`
    ids.push(id)
  }
  const [first, second, third] = ids
  const ofChannel = { operator: 'channel', operand: channel.id }
  const cases: [object[], (number | undefined)[]][] = [
    [[['after', '2026-03-02']], [second, third]],
    [[['after', '2026-03-02T12:00:00Z']], [second, third]],
    [[['after', '2026-03-02T12:00:01Z']], [third]],
    [[['before', '2026-03-02']], [first]],
    [[['before', '2026-03-02T12:00:00Z']], [first]],
    [
      [
        ['after', '2026-03-02'],
        ['before', '2026-03-03'],
      ],
      [second],
    ],
    [
      [
        ['after', '2026-03-03'],
        ['before', '2026-03-02'],
      ],
      [],
    ],
    [[{ operator: 'before', operand: '2026-03-03', negated: true }], [third]],
  ]
  for (const [times, found] of cases) {
    for (const more of [
      [ofChannel],
      [ofChannel, ['search', 'report']],
      [['search', 'report']],
      [['sender', String(other.id)]],
    ]) {
      const narrow = [...times, ...more]
      const own = async (anchor: object) => (await find(reader, narrow, anchor)).filter(id => ids.includes(id))
      t.same(await own({ anchor: 'newest', num_before: 100 }), found, JSON.stringify(narrow))
      t.same(await own({ anchor: 'oldest', num_after: 100 }), found, `from the oldest: ${JSON.stringify(narrow)}`)
    }
  }
})

t.test('a narrow that no message can match is refused with the reason, and its negated form is answered', async t => {
  const [reader, other] = await people(server, 2)
  const channel = await channelOf([reader])
  const inChannel = [
    { operator: 'channel', operand: channel.id },
    { operator: 'channels', operand: 'public' },
    { operator: 'topic', operand: 'one' },
  ]
  const direct = [
    { operator: 'is', operand: 'dm' },
    { operator: 'is', operand: 'private' },
    { operator: 'dm', operand: [other.id] },
    { operator: 'dm-including', operand: [other.id] },
    { operator: 'group-pm-with', operand: [other.id] },
  ]
  const desc = 'No message can be both a channel message and direct message'
  for (const one of inChannel) {
    for (const two of direct) {
      const ask = (...narrow: object[]) => reader.get('/messages', { ...newest, narrow })
      t.match(await ask(one, two), refused('BAD_NARROW', { desc }))
      t.match(await ask(two, one), refused('BAD_NARROW', { desc }))
      t.equal((await ask(one, { ...two, negated: true })).status, 200)
      t.equal((await ask({ ...one, negated: true }, two)).status, 200)
    }
  }
})

t.test('a guest finds out by no address who is there', async t => {
  const [friend, stranger] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  const channel = await channelOf([friend, guest])
  const id = await say(stranger, channel.id)
  await limitGuests(server.sql)
  for (const operator of ['sender', 'dm', 'dm-including', 'mentions']) {
    const ask = (operand: unknown) => guest.get('/messages', { ...newest, narrow: [{ operator, operand }] })
    t.match(await ask(stranger.email), refused('BAD_NARROW', { desc: `unknown user ${stranger.email}` }))
    t.equal((await ask(friend.email)).status, 200)
  }
  const { message } = await guest.ok('GET', `/messages/${id}`)
  for (const sender of [message.sender_email, message.sender_id])
    t.same(await find(guest, [{ operator: 'sender', operand: sender }]), [id])
})

t.test(
  'an answer has no more than its bytes: the messages next to the anchor, and an end that was not reached',
  async t => {
    const [writer] = await people(server, 1)
    const { id: channel } = await channelOf([writer])
    const long = 'x'.repeat(10_000)
    const first = await say(writer, channel, long, 'long')
    // 10,600 bytes each, because an answer in source form does not read the HTML.
    await server.sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select sender_id, channel_id, topic, content, rendered_content, 1 from messages, generate_series(1, 1200)
    where id = ${first}`
    const narrow = [{ operator: 'channel', operand: channel }]
    const read = (params: Loose) => writer.ok('GET', '/messages', { narrow, apply_markdown: false, ...params })
    const all = idsOf(await read({ anchor: 'newest', num_before: 5000, message_ids: undefined }))
    const last = all.at(-1) as number
    t.ok(all.length > 180 && all.length < 200, `${all.length} messages`)
    t.match(await read({ anchor: 'newest', num_before: 5000 }), { found_oldest: false, found_newest: true })
    const up = await read({ anchor: 'oldest', num_after: 5000 })
    t.match(up, { found_oldest: true, found_newest: false })
    t.equal(idsOf(up)[0], first)
    const anchor = last - 250
    const middle = await read({ anchor: String(anchor), num_before: 2500, num_after: 2500 })
    t.match(middle, { found_anchor: true, found_oldest: false, found_newest: false })
    const [below, above] = [idsOf(middle).filter(id => id < anchor), idsOf(middle).filter(id => id > anchor)]
    t.ok(Math.abs(below.length - above.length) <= 1, `${below.length} below, ${above.length} above`)
    const aside = await read({ anchor: String(first + 5), num_before: 2500, num_after: 2500 })
    t.match(aside, { found_oldest: true, found_newest: false })
    // Continuing from the end of each page finds all messages.
    const seen = new Set<number>()
    for (let at = 'newest', done = false; !done; at = String(Math.min(...seen))) {
      const page = await read({ anchor: at, num_before: 5000 })
      for (const id of idsOf(page)) seen.add(id)
      done = page.found_oldest
    }
    t.equal(seen.size, 1201)
  },
)

t.test('changes of messages need not read their texts, however many there are', async t => {
  const [reader] = await people(server, 1)
  const { id: channel } = await channelOf([reader])
  await say(reader, channel, 'long')
  const sent = await statementsOf(server, async () => {
    const flags = { op: 'add', flag: 'starred', anchor: 'newest', num_before: 5000, num_after: 0 }
    await reader.ok('POST', '/messages/flags/narrow', { ...flags, narrow: [{ operator: 'channel', operand: channel }] })
  })
  t.notOk(sent.some(text => /m\.(?:rendered_)?content/.test(text)))
})
