import t from 'tap'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, kinds, Listener, type Loose } from './scene.js'

const server = await startServer(t)

const unsubscribe = (who: Person, subscriptions: unknown, principals?: unknown) =>
  who.delete('/users/me/subscriptions', { subscriptions, principals })

async function channelOf(people: Person[], params: Loose = {}): Promise<string> {
  const name = freshName()
  await people[0]?.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(person => person.id),
    ...params,
  })
  return name
}

t.test('a user unsubscribes; the other subscribers get the event', async t => {
  const [person, bystander] = [await server.person(), await server.person()]
  const name = await channelOf([person])
  const [ear, other] = [await Listener.start(server.ctx, person), await Listener.start(server.ctx, bystander)]
  const { body } = await unsubscribe(person, [name.toUpperCase()])
  t.match(body, { result: 'success', removed: [name], not_removed: [] })
  t.same(kinds(await ear.inStep(t)), ['subscription/remove'])
  t.same(kinds(await other.inStep(t)), ['subscription/peer_remove'])
  const again = await unsubscribe(person, [name])
  t.match(again.body, { removed: [], not_removed: [name] })
  t.same(await ear.events(), [])
})

t.test('a user who leaves a private channel, or a guest who leaves any channel, no longer sees it', async t => {
  const [person, guest, outsider] = [await server.person(), await server.person({ role: 600 }), await server.person()]
  const closed = await channelOf([person, outsider], { invite_only: true })
  const open = await channelOf([person, guest])
  const [ear, guestEar] = [await Listener.start(server.ctx, outsider), await Listener.start(server.ctx, guest)]
  await unsubscribe(outsider, [closed])
  await unsubscribe(guest, [open])
  t.same(kinds(await ear.inStep(t)), ['subscription/remove', 'stream/delete', 'subscription/peer_remove'])
  t.same(kinds(await guestEar.inStep(t)), ['subscription/remove', 'stream/delete'])
  t.match(
    await unsubscribe(outsider, [closed]),
    { status: 400, body: { code: 'BAD_REQUEST' } },
    'as if it were not there',
  )
})

t.test('who administers a channel, may remove from it, or owns the bot, unsubscribes others', async t => {
  const [creator, person, admin, stranger] = [
    await server.person(),
    await server.person(),
    await server.person({ role: 200 }),
    await server.person(),
  ]
  const bot = await server.person({ bot_type: 1, bot_owner_id: stranger.id })
  const name = await channelOf([creator, person, bot])
  t.match(await unsubscribe(stranger, [name], [person.id]), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match((await unsubscribe(stranger, [name], [bot.id])).body, { removed: [name] })
  t.match((await unsubscribe(creator, [name], [person.email])).body, { removed: [name] })
  t.match((await unsubscribe(admin, [name], [creator.id, person.id])).body, { removed: [name], not_removed: [name] })
  const held = await channelOf([creator, person], {
    can_remove_subscribers_group: { direct_members: [stranger.id], direct_subgroups: [] },
  })
  t.match((await unsubscribe(stranger, [held], [person.id])).body, { removed: [held] })
})

t.test('all or nothing', async t => {
  const [creator, person, other] = [await server.person(), await server.person(), await server.person()]
  const [mine, theirs] = [await channelOf([person, other]), await channelOf([creator, other])]
  t.equal((await unsubscribe(person, [mine, theirs], [other.id])).status, 400)
  const { subscriptions } = await other.ok('GET', '/users/me/subscriptions')
  t.equal(subscriptions.length, 2)
})

t.test('input that is refused', async t => {
  const admin = await server.person({ role: 200 })
  const gone = await server.person({ is_active: false })
  const name = await channelOf([admin])
  t.match((await admin.delete('/users/me/subscriptions', {})).body, {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'subscriptions',
  })
  const cases: [string, unknown, unknown][] = [
    ['not a list', 'x', undefined],
    ['ids instead of names', [1], undefined],
    ['an unknown channel', ['there is none'], undefined],
    ['an unknown channel beside a known one', [name, 'there is none'], undefined],
    ['an unknown user', [name], [2_000_000_000]],
    ['a deactivated user', [name], [gone.id]],
    ['an unknown address', [name], ['nobody@test.example']],
  ]
  for (const [title, subscriptions, principals] of cases) {
    const answer = await unsubscribe(admin, subscriptions, principals)
    t.match(answer, { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } }, title)
  }
})

t.test('what was sent in between is not received, what was before and comes after is', async t => {
  const [writer, reader] = [await server.person(), await server.person()]
  const name = await channelOf([writer, reader])
  const say = (content: string) => writer.ok('POST', '/messages', { type: 'stream', to: name, topic: 'x', content })
  const { id: before } = await say('before')
  await unsubscribe(reader, [name])
  const { id: between } = await say('between')
  await reader.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const { id: after } = await say('after')
  const [row] = await server.sql`
    select spans @> ${before}::int8 as before, spans @> ${between}::int8 as between, spans @> ${after}::int8 as after
    from subscriptions where user_id = ${reader.id} and is_active order by channel_id desc limit 1`
  t.same({ ...row }, { before: true, between: false, after: true })
})

t.test('what was left unread is read, also after coming back', async t => {
  const [writer, reader] = [await server.person(), await server.person()]
  const name = await channelOf([writer, reader])
  const { id } = await writer.ok('POST', '/messages', { type: 'stream', to: name, topic: 'x', content: 'hello' })
  const event_types = ['update_message_flags', 'default_streams']
  const ear = await Listener.start(server.ctx, reader, { event_types })
  await unsubscribe(reader, [name])
  let told: Loose[] = []
  while (told.length === 0) told = await ear.events()
  t.match(told, [{ type: 'update_message_flags', op: 'add', flag: 'read', messages: [id] }])
  await reader.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const fetch_event_types = ['message', 'update_message_flags']
  const { unread_msgs } = await reader.ok('POST', '/register', { fetch_event_types })
  t.equal(unread_msgs.count, 0)
})

t.test('a guest and a bot leave by themselves; an owner takes its bot out by address', async t => {
  const [creator, guest] = [await server.person(), await server.person({ role: 600 })]
  const bot = await server.person({ bot_type: 1, bot_owner_id: creator.id })
  const name = await channelOf([creator, guest, bot])
  t.match((await unsubscribe(guest, [name])).body, { removed: [name] })
  t.match((await unsubscribe(creator, [name], [bot.email])).body, { removed: [name] })
  const other = await channelOf([creator, bot])
  t.match((await unsubscribe(bot, [other])).body, { removed: [other] })
  t.equal((await unsubscribe(bot, [other], [creator.id])).status, 400, 'a bot does not act for its owner')
})

t.test('who names itself, by id or address, needs no permission', async t => {
  const [creator, person] = [await server.person(), await server.person()]
  const [first, second] = [await channelOf([creator, person]), await channelOf([creator, person])]
  t.match((await unsubscribe(person, [first], [person.id])).body, { removed: [first] })
  t.match((await unsubscribe(person, [second], [person.email])).body, { removed: [second] })
  t.match((await unsubscribe(creator, [])).body, { removed: [], not_removed: [] })
})

t.test('can_remove_subscribers_group needs to know the channel; administrators know all', async t => {
  const [creator, person, holder, admin] = [
    await server.person(),
    await server.person(),
    await server.person(),
    await server.person({ role: 200 }),
  ]
  const params = {
    invite_only: true,
    can_remove_subscribers_group: { direct_members: [holder.id], direct_subgroups: [] },
  }
  const name = await channelOf([creator, person], params)
  t.equal((await unsubscribe(holder, [name], [person.id])).status, 400)
  t.match((await unsubscribe(admin, [name], [person.id])).body, { removed: [name] })
})

t.test('an archived channel can be left, too', async t => {
  const [creator, person] = [await server.person(), await server.person()]
  const name = await channelOf([creator, person])
  const { stream_id } = await creator.ok('GET', '/get_stream_id', { stream: name })
  await creator.ok('DELETE', `/streams/${stream_id}`)
  const ear = await Listener.start(server.ctx, person)
  t.match((await unsubscribe(person, [name])).body, { removed: [name] })
  t.same(kinds(await ear.inStep(t)), ['subscription/remove'])
})

t.test('subscribed and unsubscribed at once, through two workers, all clients agree in the end', async t => {
  const second = await startServer(t, {}, server.organization)
  const [person, bystander] = [await server.person(), await server.person()]
  const name = await channelOf([await server.person()])
  const workers = [server.ctx, second.ctx]
  const [ear, other] = [await Listener.start(workers, person), await Listener.start(workers, bystander)]
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] }),
      second.api(person).ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] }),
      person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] }),
      second.api(person).ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] }),
    ])
    await ear.inStep(t)
    await other.inStep(t)
  }
})

t.test('many people and channels take as many statements as few', async t => {
  const admin = await server.person({ role: 200 })
  const people = await Promise.all(Array.from({ length: 8 }, () => server.person()))
  const ids = people.map(person => person.id)
  const few = await channelOf([admin, ...people])
  const many = [await channelOf([admin, ...people]), await channelOf([admin, ...people], { invite_only: true })]
  await server.ctx.directory.fresh()
  const count = async (names: string[], principals: number[]) => {
    const statements = await statementsOf(server, () =>
      admin.ok('DELETE', '/users/me/subscriptions', { subscriptions: names, principals }),
    )
    // Unread messages are marked as read afterwards, per channel.
    return statements.filter(text => /subscriptions|channels/.test(text) && !/read_state|messages/.test(text)).length
  }
  t.ok((await count(many, ids)) <= (await count([few], ids.slice(0, 1))) + 1, 'one to forget what is out of sight')
})

t.test("users who are unsubscribed at once get each other's events if they still see the channel", async t => {
  const admin = await server.person({ role: 200 })
  const people = await Promise.all(Array.from({ length: 18 }, () => server.person()))
  const guest = await server.person({ role: 600 })
  const name = await channelOf([admin, ...people, guest])
  const ears = await Promise.all(
    [admin, people[0], people[1], people[17], guest].map(one => Listener.start(server.ctx, one as Person)),
  )
  const principals = [...people, guest].map(person => person.id)
  await unsubscribe(admin, [name], principals)
  const told = await Promise.all(ears.map(ear => ear.inStep(t)))
  t.same(kinds(told[0] ?? []), ['subscription/peer_remove'])
  t.same(kinds(told[4] ?? []), ['subscription/remove', 'stream/delete'])
  for (const [i, events] of told.slice(1, 4).entries()) {
    t.same([...new Set(kinds(events))], ['subscription/remove', 'subscription/peer_remove'])
    const others = events.flatMap(event => event.user_ids ?? []).sort((a: number, b: number) => a - b)
    const self = [people[0], people[1], people[17]][i]?.id
    t.same(
      others,
      principals.filter(id => id !== self).sort((a, b) => a - b),
      'each of the others once, and never itself',
    )
  }
})
