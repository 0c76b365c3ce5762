// docs/protocol/compatibility.md#where-this-server-differs: rows that no other test shows.
import t from 'tap'
import { kinds, Listener, type Loose } from '../support/in-step.js'
import { setUser } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { channelOf, people, say } from './messages/scene.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
await setUser(server.sql, owner.id, { can_create_users: true })
const refused = (code: string) => ({ status: 400, body: { code } })

t.test('an edit takes the flags of a wildcard away, and brings them', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const flags = async (id: number) =>
    (await reader.ok('GET', `/messages/${id}`)).message.flags.filter((flag: string) => flag.includes('wildcard')).sort()
  for (const [text, flag] of [
    ['@**all** hello', 'stream_wildcard_mentioned'],
    ['@**topic** hello', 'topic_wildcard_mentioned'],
  ] as const) {
    await say(reader, channel.id, 'I take part')
    const id = await say(author, channel.id, text)
    t.same(await flags(id), [flag, 'wildcard_mentioned'].sort())
    const ear = await Listener.start(server.ctx, reader)
    await author.ok('PATCH', `/messages/${id}`, { content: 'hello' })
    t.same(await flags(id), [])
    await author.ok('PATCH', `/messages/${id}`, { content: text })
    t.same(await flags(id), [flag, 'wildcard_mentioned'].sort())
    const edits = (await ear.inStep(t)).filter(event => event.type === 'update_message')
    t.same(
      edits.map(event => event.flags.includes(flag)),
      [false, true],
    )
  }
})

t.test('flags that change while a queue waits are events of their own, in their order', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const ids = [await say(author, channel.id), await say(author, channel.id)]
  const ear = await Listener.start(server.ctx, reader)
  const set = (op: string, messages: number[]) =>
    reader.ok('POST', '/messages/flags', { op, flag: 'starred', messages })
  for (const id of ids) await set('add', [id])
  await set('remove', [ids[0] as number])
  await set('add', [ids[0] as number])
  const events = await ear.inStep(t)
  t.same(
    events.map(event => [event.op, event.messages]),
    [
      ['add', [ids[0]]],
      ['add', [ids[1]]],
      ['remove', [ids[0]]],
      ['add', [ids[0]]],
    ],
  )
})

t.test('a followed topic that joins another one stays followed', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  await setUser(server.sql, author.id, { settings: { automatically_follow_topics_policy: 4 } })
  await server.ctx.directory.fresh()
  const id = await say(author, channel.id, 'x', 'from')
  await say(author, channel.id, 'x', 'to')
  await author.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'from', visibility_policy: 3 })
  await author.ok('PATCH', `/messages/${id}`, { topic: 'to', propagate_mode: 'change_all' })
  const { user_topics } = await author.ok('POST', '/register', { fetch_event_types: ['user_topic'] })
  t.match(user_topics, [{ topic_name: 'to', visibility_policy: 3 }])
})

t.test('the files of a message that is edited or deleted: its uploader learns of it', async t => {
  const [author] = await people(server, 1)
  const channel = await channelOf([author])
  const body = new FormData()
  body.append('file', new Blob(['text']), 'notes.txt')
  const answer = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${author.email}:${author.api_key}`)}` },
    body,
  })
  const { url } = (await answer.json()) as Loose
  const ear = await Listener.start(server.ctx, author)
  const id = await say(author, channel.id, `[notes](${url})`, 'files')
  await author.ok('PATCH', `/messages/${id}`, { content: 'none' })
  const other = await say(author, channel.id, `[notes](${url})`, 'files')
  await author.ok('DELETE', `/messages/${other}`)
  const updates = (await ear.events(t)).filter(event => event.type === 'attachment')
  t.same(kinds(updates), [...Array(3).fill('attachment/update'), 'attachment/remove'])
  t.same(
    updates.slice(0, 3).map(event => event.attachment.message_ids),
    [[id], [], [other]],
  )
})

t.test('values that cannot be are refused with 400', async t => {
  const { id: field } = await owner.ok('POST', '/realm/profile_fields', { field_type: 4, name: 'Birthday' })
  for (const value of ['0000-01-01', '99999-01-01', '2026-02-30', '-1-01-01', ''])
    t.match(
      await owner.patch('/users/me/profile_data', { data: [{ id: field, value }] }),
      value === '' ? { status: 200 } : refused('BAD_REQUEST'),
      value,
    )
  t.match(
    await owner.get('/messages', { anchor: 'date', anchor_date: '0000-01-01', num_before: 1, num_after: 0 }),
    refused('BAD_REQUEST'),
  )
  t.match(await owner.patch('/settings', { default_language: 'x'.repeat(41) }), refused('BAD_REQUEST'))
  const channel = await channelOf([owner])
  t.match(await owner.patch(`/streams/${channel.id}`, { can_send_message_group: 1 }), refused('BAD_REQUEST'))
  const narrow = [{ operator: 'with', operand: 1, negated: true }]
  t.match(
    await owner.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow }),
    refused('BAD_NARROW'),
  )
  t.match(
    await owner.post('/realm/filters', { pattern: 'x(?P<id>\\d+)', url_template: 'javascript:alert({id})' }),
    refused('BAD_REQUEST'),
  )
  t.match(
    await owner.post('/user_groups/create', { name: 'team*x', description: '', members: [owner.id] }),
    refused('BAD_REQUEST'),
  )
})

t.test('that an account is deactivated shows only with its password', async t => {
  const password = 'a long and good password'
  const email = 'left@test.example'
  const { user_id } = await owner.ok('POST', '/users', { email, full_name: 'Lea Left', password })
  await owner.ok('DELETE', `/users/${user_id}`)
  const signIn = (given: string) => server.api(null).post('/fetch_api_key', { username: email, password: given })
  t.match(await signIn(password), { status: 401, body: { code: 'USER_DEACTIVATED' } })
  t.match(await signIn('another long password'), { status: 401, body: { code: 'AUTHENTICATION_FAILED' } })
})
