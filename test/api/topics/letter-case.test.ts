// docs/protocol/names.md#topics: which spellings are one topic, for messages, policies, searches and queues alike.
import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from '../messages/scene.js'

const server = await startServer(t)

const one = [
  ['ΟΔΟΣ', 'οδοσ', 'Οδοσ'],
  ['ẞ', 'ß'],
  ['İ', 'I', 'i'],
  ['\u212aelvin', 'Kelvin', 'kelvin'],
  ['ǅ', 'ǆ'],
] as const
const two = [
  ['ΟΔΟΣ', 'οδος'],
  ['STRASSE', 'straße'],
  ['ı', 'I'],
  ['ﬁ', 'fi'],
] as const

for (const [spellings, isOne] of [
  ...one.map(list => [list, true] as const),
  ...two.map(list => [list, false] as const),
]) {
  t.test(`${spellings.join(' and ')} are ${isOne ? 'one topic' : 'two topics'}`, async t => {
    const [author, reader] = await people(server, 2)
    const channel = await channelOf([author, reader])
    const [first] = spellings
    const narrow = [
      ['channel', channel.name],
      ['topic', first],
    ]
    const ear = await Listener.start(server.ctx, reader, { narrow })
    const ids: number[] = []
    for (const spelling of spellings) ids.push(await say(author, channel.id, 'x', spelling))
    const inTopic = isOne ? ids : ids.slice(0, 1)
    const events = await ear.events(t)
    t.same(
      events.flatMap(event => event.message?.id ?? []),
      inTopic,
      'the narrow of a queue',
    )
    const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
    const { messages } = await reader.ok('GET', '/messages', page)
    t.same(
      messages.map((message: Loose) => message.id),
      inTopic,
      'a search',
    )
    const { topics } = await reader.ok('GET', `/users/me/${channel.id}/topics`)
    t.equal(topics.length, isOne ? 1 : spellings.length)
    const { unread_msgs } = await reader.ok('POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    const unread = unread_msgs.streams.filter((place: Loose) => place.stream_id === channel.id)
    t.equal(unread.length, topics.length, 'the unread ones')
    for (const topic of spellings)
      await reader.ok('POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy: 3 })
    const { user_topics } = await reader.ok('POST', '/register', { fetch_event_types: ['user_topic'] })
    t.equal(user_topics.length, topics.length, 'a policy for each')
  })
}
