import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, Listener, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)

const takeBack = (who: Person, id: number, params: Loose) => who.delete(`/messages/${id}/reactions`, params)

t.test('a reaction is taken back by its code or its name', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  for (const params of [
    { emoji_code: '1f642' },
    { emoji_name: 'smile' },
    { emoji_code: '1f642', emoji_name: 'nonsense' },
  ]) {
    await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
    const ears = await each([author, reader], person => Listener.start(server.ctx, person))
    t.equal((await takeBack(reader, id, params)).status, 200)
    for (const events of await each(ears, ear => ear.events(t))) {
      t.match(events, [{ type: 'reaction', op: 'remove', message_id: id, user_id: reader.id, emoji_name: 'smile' }])
    }
  }
  await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'service' })
  t.equal((await takeBack(reader, id, { emoji_name: 'service', reaction_type: 'service_extra_emoji' })).status, 200)
})

t.test('a reaction with a custom emoji that is gone can be taken back by its code', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id)
  await server.sql`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${id}, unnest(${[author.id, reader.id]}::int[]), 'realm_emoji', '7', 'our_parrot'`
  const ear = await Listener.start(server.ctx, author)
  const realm = { reaction_type: 'realm_emoji' }
  t.match(await takeBack(reader, id, { emoji_code: '7' }), refused('REACTION_DOES_NOT_EXIST'), 'the type matters')
  t.match(await takeBack(reader, id, { ...realm, emoji_name: 'our_parrot' }), refused(), 'its name is unknown now')
  t.match(await takeBack(reader, id, { ...realm, emoji_code: '8' }), refused('REACTION_DOES_NOT_EXIST'))
  t.equal((await takeBack(reader, id, { ...realm, emoji_code: '7', emoji_name: 'whatever' })).status, 200)
  t.match(await takeBack(reader, id, { ...realm, emoji_code: '7' }), refused('REACTION_DOES_NOT_EXIST'), 'once')
  t.match(await ear.events(t), [
    { op: 'remove', ...realm, emoji_code: '7', emoji_name: 'our_parrot', user_id: reader.id },
  ])
})

t.test('of two requests at once one takes the reaction back', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
  const ear = await Listener.start(server.ctx, author)
  const answers = await Promise.all([1, 2, 3].map(() => takeBack(reader, id, { emoji_name: 'smile' })))
  t.same(answers.map(({ body }) => body.code ?? 'done').sort(), [
    'REACTION_DOES_NOT_EXIST',
    'REACTION_DOES_NOT_EXIST',
    'done',
  ])
  t.equal((await ear.events(t)).length, 1)
})

t.test('who can no longer see the message cannot take back its reaction', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader], { invite_only: true })
  const id = await say(author, channel.id)
  await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
  await reader.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel.name] })
  const refusal = await takeBack(reader, id, { emoji_name: 'smile' })
  t.match(refusal, refused())
  t.same(refusal.body, (await takeBack(reader, 999_999, { emoji_name: 'smile' })).body)
})

t.test('it is refused', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const id = await say(author, [reader])
  await author.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
  t.match(await takeBack(reader, id, { emoji_name: 'smile' }), refused('REACTION_DOES_NOT_EXIST'), 'not one’s own')
  t.match(await takeBack(author, id, { emoji_code: '1f44d' }), refused('REACTION_DOES_NOT_EXIST'))
  t.match(
    await takeBack(author, id, { emoji_code: '1f642', reaction_type: 'realm_emoji' }),
    refused('REACTION_DOES_NOT_EXIST'),
  )
  t.match(await takeBack(author, id, {}), refused())
  t.match(await takeBack(author, id, { emoji_name: 'no_such_emoji' }), refused())
  t.match(await takeBack(author, id, { emoji_code: '1f642', reaction_type: 'drawing' }), refused())
  t.match(await takeBack(outsider, id, { emoji_code: '1f642' }), refused())
  t.match(await takeBack(author, 999_999, { emoji_code: '1f642' }), refused())
  t.match(
    await takeBack(author, id, { emoji_code: '1f642', reaction_type: 'extra_emoji' }),
    refused(),
    'without the brand',
  )
  t.match(await takeBack(author, id, { emoji_code: '' }), refused('REACTION_DOES_NOT_EXIST'))
  t.match(await takeBack(author, id, { emoji_name: 'service' }), refused('REACTION_DOES_NOT_EXIST'), 'of another type')
  t.equal((await takeBack(author, id, { emoji_code: 'a\u0000b' })).status, 400)
  t.equal((await server.api(null).delete(`/messages/${id}/reactions`, { emoji_code: '1f642' })).status, 401)
})
