import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { each, Listener, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)

const takeBack = (who: Person, id: number, params: Loose) => who.delete(`/messages/${id}/reactions`, params)

t.test('a reaction is taken back by its code or its name', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  for (const params of [
    { emoji_code: '1f604' },
    { emoji_name: 'smile' },
    { emoji_code: '1f604', emoji_name: 'nonsense' },
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

t.test('it is refused', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const id = await say(author, [reader])
  await author.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
  t.match(await takeBack(reader, id, { emoji_name: 'smile' }), refused('REACTION_DOES_NOT_EXIST'), 'not one’s own')
  t.match(await takeBack(author, id, { emoji_code: '1f44d' }), refused('REACTION_DOES_NOT_EXIST'))
  t.match(
    await takeBack(author, id, { emoji_code: '1f604', reaction_type: 'realm_emoji' }),
    refused('REACTION_DOES_NOT_EXIST'),
  )
  t.match(await takeBack(author, id, {}), refused())
  t.match(await takeBack(author, id, { emoji_name: 'no_such_emoji' }), refused())
  t.match(await takeBack(author, id, { emoji_code: '1f604', reaction_type: 'drawing' }), refused())
  t.match(await takeBack(outsider, id, { emoji_code: '1f604' }), refused())
  t.match(await takeBack(author, 999_999, { emoji_code: '1f604' }), refused())
})
