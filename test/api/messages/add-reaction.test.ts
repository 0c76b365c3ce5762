import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)
const { ctx } = server

const react = (who: Person, id: number, params: Loose) => who.post(`/messages/${id}/reactions`, params)

t.test('who sees the message sees the reaction', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id)
  const ears = await each([author, reader, outsider], person => Listener.start(ctx, person))
  t.equal((await react(reader, id, { emoji_name: 'smile' })).status, 200)
  const reaction = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji', user_id: reader.id }
  const [own, others, none] = await each(ears, ear => ear.inStep(t))
  const user = { user_id: reader.id, email: reader.email, full_name: reader.full_name }
  const event = { type: 'reaction', op: 'add', message_id: id, ...reaction, user }
  t.match([own, others, none], [[event], [event], []])
  const { message } = await author.ok('GET', `/messages/${id}`)
  t.same(message.reactions, [reaction])
})

t.test('what others already put there keeps its name, unchecked', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  await react(author, id, { emoji_name: 'smile' })
  t.equal(
    (await react(reader, id, { emoji_name: 'whatever', emoji_code: '1f642', reaction_type: 'unicode_emoji' })).status,
    200,
  )
  const { message } = await author.ok('GET', `/messages/${id}`)
  t.same(
    message.reactions.map((one: Loose) => [one.user_id, one.emoji_name]),
    [
      [author.id, 'smile'],
      [reader.id, 'smile'],
    ],
  )
})

t.test('the extra emoji carries the brand', async t => {
  const [author] = await people(server, 1)
  const id = await say(author, [author])
  t.equal((await react(author, id, { emoji_name: 'service' })).status, 200)
  const { message } = await author.ok('GET', `/messages/${id}`)
  t.match(message.reactions, [{ emoji_code: 'service', reaction_type: 'service_extra_emoji' }])
})

t.test('a user who reacts in a public channel without a subscription gets the event', async t => {
  const [author, passer] = await people(server, 2)
  const channel = await channelOf([author])
  const id = await say(author, channel.id)
  const ear = await Listener.start(ctx, author)
  t.equal((await react(passer, id, { emoji_name: 'eyes' })).status, 200)
  t.match(await ear.events(t), [{ user_id: passer.id }])
})

t.test('of two requests at once one makes the reaction', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  const ear = await Listener.start(ctx, author)
  const answers = await Promise.all([1, 2, 3].map(() => react(reader, id, { emoji_name: 'smile' })))
  t.same(answers.map(({ body }) => body.code ?? 'done').sort(), [
    'REACTION_ALREADY_EXISTS',
    'REACTION_ALREADY_EXISTS',
    'done',
  ])
  t.equal((await ear.events(t)).length, 1)
})

t.test('a reaction to a message that is just being deleted or moved away', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const hidden = await channelOf([author], { invite_only: true })
  const ear = await Listener.start(ctx, author)
  for (let round = 0; round < 4; round++) {
    const id = await say(author, channel.id)
    const [answer] = await Promise.all([
      react(reader, id, { emoji_name: 'smile' }),
      round % 2 ? author.delete(`/messages/${id}`) : author.patch(`/messages/${id}`, { stream_id: hidden.id }),
    ])
    if (answer.status !== 200) t.match(answer, refused(), 'as if it were not there')
    await ear.inStep(t)
  }
})

t.test('it is refused', async t => {
  const [author, outsider] = await people(server, 2)
  const id = await say(author, [author])
  await react(author, id, { emoji_name: 'smile' })
  t.match(await react(author, id, { emoji_name: 'smile' }), refused('REACTION_ALREADY_EXISTS'))
  t.match(await react(outsider, id, { emoji_name: 'smile' }), refused())
  t.match(await react(author, 999_999, { emoji_name: 'smile' }), refused())
  t.match(await react(author, id, { emoji_name: 'no_such_emoji' }), refused())
  t.match(await react(author, id, { emoji_name: 'eyes', emoji_code: '1f44d' }), refused(), 'a name of another emoji')
  t.match(await react(author, id, { emoji_name: 'eyes', emoji_code: '9', reaction_type: 'realm_emoji' }), refused())
  t.match(await react(author, id, { emoji_name: 'eyes', reaction_type: 'drawing' }), refused())
  t.equal(
    (await react(author, id, { emoji_name: 'smile', emoji_code: 'a\u0000b', reaction_type: 'unicode_emoji' })).status,
    400,
  )
  t.match(await react(author, id, {}), refused('REQUEST_VARIABLE_MISSING', { var_name: 'emoji_name' }))
})

t.test('a message has so many different emoji below it, and what is there already can still be joined', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  await react(author, id, { emoji_name: 'smile' })
  const { most } = budgets.reactionEmoji
  await server.sql`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${id}, ${author.id}, 'unicode_emoji', 'code' || n, 'name' || n from generate_series(2, ${most}) as n`
  t.match(
    await react(reader, id, { emoji_name: 'heart' }),
    refused('BAD_REQUEST', { msg: /at most 100 different emoji/ }),
  )
  t.equal((await react(reader, id, { emoji_name: 'smile' })).status, 200)
  t.equal((await author.ok('GET', `/messages/${id}`)).message.reactions.length, most + 1)
})

t.test('a guest who may not know the user gets a placeholder in the event', async t => {
  const [author, passer] = await people(server, 2)
  const guest = await server.person({ role: 600 })
  const channel = await channelOf([author, guest])
  const id = await say(author, channel.id)
  await limitGuests(server.sql)
  t.teardown(() => setOrganization(server.sql, { can_access_all_users_group: null }))
  const ears = await each([author, guest], person => Listener.start(ctx, person))
  await react(passer, id, { emoji_name: 'eyes' })
  await passer.delete(`/messages/${id}/reactions`, { emoji_name: 'eyes' })
  await react(author, id, { emoji_name: 'eyes' })
  const [known, hidden] = await each(ears, ear => ear.events(t))
  const names = (events: Loose[] | undefined) => events?.map(event => [event.op, event.user_id, event.user.full_name])
  t.same(names(known), [
    ['add', passer.id, passer.full_name],
    ['remove', passer.id, passer.full_name],
    ['add', author.id, author.full_name],
  ])
  t.same(names(hidden), [
    ['add', passer.id, 'Unknown user'],
    ['remove', passer.id, 'Unknown user'],
    ['add', author.id, author.full_name],
  ])
  for (const event of hidden ?? []) t.notMatch(JSON.stringify(event), passer.email)
})
