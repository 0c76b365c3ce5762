// Whether the notice that a topic is resolved is unread: resolved_topic_notice_auto_read_policy.
import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, each, people, say } from './scene.js'

const server = await startServer(t)
const { ctx } = server

const personWho = (resolved_topic_notice_auto_read_policy: string): Promise<Person> =>
  server.person({ settings: { resolved_topic_notice_auto_read_policy, automatically_follow_topics_policy: 4 } })

const policies = ['always', 'except_followed', 'never'] as const

t.test('the notice is unread for those who want to see it', async t => {
  const author = await personWho('always')
  const plain = await each(policies, personWho)
  const followers = await each(policies, personWho)
  const everybody = [...plain, ...followers]
  const channel = await channelOf([author, ...everybody])
  const id = await say(author, channel.id, 'x', 'task')
  for (const who of followers) {
    await who.ok('POST', '/user_topics', { stream_id: channel.id, topic: 'task', visibility_policy: 3 })
  }
  const ears = await each(everybody, who => Listener.start(ctx, who))
  const before = (await server.sql<Loose[]>`select from message_flags`).length
  await author.ok('PATCH', `/messages/${id}`, { topic: '✔ task', propagate_mode: 'change_all' })
  const events = await each(ears, ear => ear.inStep(t))
  const notices = events.map(list => list.find(event => event.type === 'message'))
  t.match(notices[0]?.message.content, 'has marked this topic as resolved')
  t.same(
    notices.map(notice => notice?.flags),
    [['read'], ['read'], [], ['read'], [], []],
  )
  const notice = notices[0]?.message.id
  const flags = await each(everybody, async who => (await who.ok('GET', `/messages/${notice}`)).message.flags)
  t.same(flags, [['read'], ['read'], [], ['read'], [], []], 'also when it is fetched')
  const unread = await each(everybody, async who => {
    const asked = { anchor: 'newest', num_before: 10, narrow: [['is', 'unread']] }
    return (await who.ok('GET', '/messages', asked)).messages.map((message: Loose) => message.id)
  })
  t.same(unread, [[id], [id], [id, notice], [id], [id, notice], [id, notice]])
  const rows = (await server.sql<Loose[]>`select from message_flags`).length - before
  t.equal(rows, 3, 'a row for each of those alone')
})

t.test('it can be marked unread and read like any other', async t => {
  const [author] = await people(server, 1)
  const [always, , never] = await each(policies, personWho)
  const channel = await channelOf([author, always, never])
  const id = await say(author, channel.id, 'x', 'task')
  const ears = await each([always, never], who => Listener.start(ctx, who))
  await author.ok('PATCH', `/messages/${id}`, { topic: '✔ task', propagate_mode: 'change_all' })
  const [events] = await each(ears, ear => ear.inStep(t))
  const notice = events.find(event => event.type === 'message')?.message.id
  for (const op of ['remove', 'add', 'remove', 'add']) {
    for (const who of [always, never]) {
      await who.ok('POST', '/messages/flags', { messages: [notice], op, flag: 'read' })
      const { message } = await who.ok('GET', `/messages/${notice}`)
      t.same(message.flags, op === 'add' ? ['read'] : [], op)
    }
    for (const ear of ears) await ear.inStep(t)
  }
})

t.test('other notices of moves are unread for all users', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'x', 'here')
  const ear = await Listener.start(ctx, reader)
  await author.ok('PATCH', `/messages/${id}`, { topic: 'there', propagate_mode: 'change_all' })
  const notice = (await ear.inStep(t)).find(event => event.type === 'message')
  t.same(notice?.flags, [])
})
