// A write waits for a lock, and its caller is deactivated meanwhile: the statement began before, and changes nothing.
import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import type { Person } from '../../support/people.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const { sql } = server
const [owner] = await people(server, 1)

interface Place {
  readonly channelId: number
  readonly messageId: number
  readonly pollId: number
}

const send =
  (content: string) =>
  (who: Person, { channelId }: Place) =>
    who.post('/messages', { type: 'channel', to: channelId, topic: 'talk', content })

const requests: Readonly<Record<string, (who: Person, place: Place) => Promise<{ readonly status: number }>>> = {
  'a message': send('hello'),
  'a message that mentions a user': send(`hello @**${owner.full_name}**`),
  'a reaction': (who, { messageId }) => who.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }),
  'the end of a reaction': (who, { messageId }) =>
    who.delete(`/messages/${messageId}/reactions`, { emoji_name: 'heart' }),
  'an edit': (who, { messageId }) => who.patch(`/messages/${messageId}`, { content: 'other' }),
  'a deletion': (who, { messageId }) => who.delete(`/messages/${messageId}`),
  'an act on a widget': (who, { pollId }) =>
    who.post('/submessage', {
      message_id: pollId,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', idx: 1, option: 'three' }),
    }),
}

/** Everything that the requests above may change. */
const state = ({ channelId }: Place) => sql`
  select content, (select array_agg(emoji_name) from reactions where message_id = m.id) as reactions,
    (select count(*) from submessages where message_id = m.id) as acts
  from messages m where channel_id = ${channelId} order by m.id`

for (const [what, request] of Object.entries(requests)) {
  t.test(`${what} of an account that is deactivated while the statement waits for the channel`, async t => {
    const [person] = await people(server, 1)
    const { id: channelId } = await channelOf([owner, person])
    await say(owner, channelId, 'first')
    const messageId = await say(person, channelId)
    const place = { channelId, messageId, pollId: await say(person, channelId, '/poll one or two?') }
    await person.ok('POST', `/messages/${messageId}/reactions`, { emoji_name: 'heart' })
    const before = await state(place)
    const answer = await overtaken(server, {
      first: tx => tx`select from channels where id = ${channelId} for no key update`,
      request: () => request(person, place),
      meanwhile: async tx => {
        const version = await bumpVersion(tx)
        await tx`update users set is_active = false, version = ${version} where id = ${person.id}`
      },
    })
    t.equal(answer.status, 401)
    t.same(await state(place), before)
  })
}

t.test('a star of an account that is deactivated while the statement waits for the message', async t => {
  const [person] = await people(server, 1)
  const { id: channelId } = await channelOf([owner, person])
  const messageId = await say(owner, channelId)
  const answer = await overtaken(server, {
    first: tx => tx`select from messages where id = ${messageId} for update`,
    request: () => person.post('/messages/flags', { messages: [messageId], op: 'add', flag: 'starred' }),
    meanwhile: async tx => {
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${person.id}`
    },
  })
  t.equal(answer.status, 401)
  t.same(await sql`select from message_flags where user_id = ${person.id}`, [])
})
