import t from 'tap'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from '../messages/scene.js'

const server = await startServer(t)

type Term = [string, string] | { operator: string; operand: string | number; negated?: boolean }

const found = async (who: Person, narrow: Term[], params = {}): Promise<number[]> => {
  const asked = { anchor: 'newest', num_before: 100, narrow, ...params }
  return (await who.ok('GET', '/messages', asked)).messages.map((message: { id: number }) => message.id)
}

const not = (operator: string, operand: string): Term => ({ operator, operand, negated: true })

t.test('searches for what is muted and what is followed', async t => {
  const [writer] = await people(server, 1)
  const reader = await server.person({ settings: { automatically_follow_topics_policy: 4 } })
  const loud = await channelOf([writer, reader])
  const quiet = await channelOf([writer, reader])
  const ids = new Map<string, number>()
  for (const [name, { id }] of [
    ['loud', loud],
    ['quiet', quiet],
  ] as const) {
    for (const topic of ['plain', 'Muted', 'unmuted', 'followed', '']) {
      ids.set(`${name} ${topic}`, await say(writer, id, 'hello', topic))
    }
  }
  ids.set('direct', await say(writer, [reader]))
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: quiet.id, property: 'is_muted', value: true }],
  })
  for (const { id } of [loud, quiet]) {
    for (const [topic, visibility_policy] of [
      ['muted', 1],
      ['unmuted', 2],
      ['followed', 3],
    ] as const) {
      await reader.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy })
    }
  }
  const idsOf = (...names: string[]) => names.map(name => ids.get(name))
  const muted = idsOf('loud Muted', 'quiet plain', 'quiet Muted', 'quiet ')
  const heard = [...ids.values()].filter(id => !muted.includes(id))
  const followed = idsOf('loud followed', 'quiet followed')
  t.same(await found(reader, [['is', 'muted']]), muted)
  t.same(await found(reader, [not('is', 'muted')]), heard)
  t.same(await found(reader, [['in', 'home']]), heard)
  t.same(await found(reader, [not('in', 'home')]), muted)
  t.same(await found(reader, [['is', 'followed']]), followed)
  t.same(
    await found(reader, [not('is', 'followed')]),
    [...ids.values()].filter(id => !followed.includes(id)),
  )
  t.same(await found(reader, [['is', 'followed'], { operator: 'channel', operand: quiet.id }]), idsOf('quiet followed'))
  t.same(
    await found(reader, [
      ['is', 'followed'],
      ['is', 'unread'],
    ]),
    followed,
  )
  t.same(await found(reader, [['is', 'followed']], { num_before: 1 }), followed.slice(1), 'page by page')
  t.same(
    await found(reader, [['is', 'followed']], { anchor: 'oldest', num_before: 0, num_after: 1 }),
    followed.slice(0, 1),
  )
  t.same(await found(writer, [['is', 'muted']]), [], 'each for itself')

  const first = async (narrow: Term[]) =>
    (await reader.ok('GET', '/messages', { anchor: 'first_unread', num_before: 0, num_after: 1, narrow })).anchor
  t.equal(await first([]), ids.get('loud plain'))
  await reader.ok('POST', '/messages/flags', { messages: idsOf('loud plain'), op: 'add', flag: 'read' })
  t.equal(await first([]), ids.get('loud unmuted'), 'a muted topic is passed over')
  t.equal(
    await first([{ operator: 'channel', operand: quiet.id }]),
    ids.get('quiet plain'),
    'who names a muted channel looks for its messages, but for those of muted topics',
  )
  for (const [channel, name] of [
    [quiet, 'quiet plain'],
    [quiet, 'quiet Muted'],
    [loud, 'loud Muted'],
  ] as const) {
    const topic: Term = ['topic', name.split(' ')[1] ?? '']
    t.equal(await first([{ operator: 'channel', operand: channel.id }, topic]), ids.get(name), `${name}, named`)
  }
  t.equal(await first([['topic', 'Muted']]), ids.get('loud Muted'))
  await reader.ok('POST', '/messages/flags', {
    messages: idsOf('quiet plain', 'loud unmuted'),
    op: 'add',
    flag: 'read',
  })
  t.equal(await first([]), ids.get('loud followed'), 'without a channel, the messages of a muted one are passed over')
})

t.test('what is followed is found among a crowd of other messages', async t => {
  const [writer] = await people(server, 1)
  const reader = await server.person()
  const channel = await channelOf([writer, reader])
  const wanted = [await say(writer, channel.id, 'x', 'followed'), await say(writer, channel.id, 'y', 'followed')]
  await reader.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'Followed', visibility_policy: 3 })
  const elsewhere = await channelOf([writer])
  await server.sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${writer.id}, ${elsewhere.id}, 'noise', 'x', '<p>x</p>', 1 from generate_series(1, 10500)`
  t.same(await found(reader, [['is', 'followed']]), wanted)
  t.same(
    await found(reader, [
      ['is', 'followed'],
      ['has', 'link'],
    ]),
    [],
  )
})

t.test('a queue cannot promise it', async t => {
  const [reader] = await people(server, 1)
  const { status, body } = await reader.post('/register', { narrow: [['is', 'followed']] })
  t.match({ status, code: body.code }, { status: 400, code: 'BAD_NARROW' })
})
