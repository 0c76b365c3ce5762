import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import zulip, { type ZulipClient } from 'zulip-js'
import { hashPassword } from '../../server/auth/passwords.js'
import type { Person } from '../support/people.js'
import { spawnServer } from '../support/server.js'

// The unmodified npm package. With this brand the client finds the identifiers that it knows.
const server = await spawnServer(t, { WIRE_BRAND: 'zulip', WORKERS: '2' })
const iago = await server.person({ full_name: 'Iago' })
const zoe = await server.person({ full_name: 'Zoe' })
const clientOf = (person: Person): Promise<ZulipClient> =>
  zulip({ realm: server.url, username: person.email, apiKey: person.api_key })
const client = await clientOf(iago)
const zoes = await clientOf(zoe)

for (const one of [client, zoes]) {
  const added = await one.users.me.subscriptions.add({ subscriptions: [{ name: 'garden' }] })
  if (added.result !== 'success') throw new Error(JSON.stringify(added))
}

t.test('server settings name the brand', async t => {
  const settings = await client.server.settings()
  t.equal(settings.result, 'success')
  t.equal(settings.zulip_feature_level, 500)
  t.type(settings.zulip_version, 'string')
})

t.test('an account exchanges its password for its key', async t => {
  await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${iago.id}`
  const signedIn = await zulip({ realm: server.url, username: iago.email, password: 'open sesame' })
  t.equal(signedIn.config.apiKey, iago.api_key)
  t.equal((await signedIn.users.me.getProfile()).user_id, iago.id)
  const refused = await zulip({ realm: server.url, username: iago.email, password: 'not it' })
  t.equal(refused.config.apiKey, undefined, 'a wrong password brings no key')
})

t.test('users and the own profile', async t => {
  const { members } = await client.users.retrieve()
  t.same(
    members
      .filter((user: { email: string }) => [iago.email, zoe.email].includes(user.email))
      .map((user: { full_name: string }) => user.full_name)
      .sort(),
    ['Iago', 'Zoe'],
  )
  t.equal((await client.users.me.getProfile()).user_id, iago.id)
})

t.test('streams, ids, subscriptions and topics', async t => {
  const { streams } = await client.streams.retrieve()
  const garden = streams.find((stream: { name: string }) => stream.name === 'garden')
  t.ok(garden)
  t.equal((await client.streams.getStreamId('garden')).stream_id, garden.stream_id)
  t.ok(
    (await client.streams.subscriptions.retrieve()).subscriptions.some(
      (one: { name: string }) => one.name === 'garden',
    ),
  )
  await client.messages.send({ type: 'stream', to: 'garden', topic: 'peas', content: 'planted' })
  const { topics } = await client.streams.topics.retrieve({ stream_id: garden.stream_id })
  t.equal(topics[0].name, 'peas')
})

t.test('messages: send, narrow, edit, flags, reactions, delete', async t => {
  const sent = await client.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content: 'red **roses**' })
  t.equal(sent.result, 'success')
  const found = await zoes.messages.retrieve({
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [
      { operator: 'stream', operand: 'garden' },
      { operator: 'topic', operand: 'roses' },
    ],
  })
  t.equal(found.messages.at(-1)?.id, sent.id)
  t.match(found.messages.at(-1)?.content, '<strong>roses</strong>')
  t.equal((await client.messages.update({ message_id: sent.id, content: 'white roses' })).result, 'success')
  t.match((await zoes.messages.getById({ message_id: sent.id })).message.content, 'white roses')
  t.same((await zoes.messages.flags.add({ messages: [sent.id], flag: 'read' })).messages, [sent.id])
  t.equal((await zoes.reactions.add({ message_id: sent.id, emoji_name: 'rose' })).result, 'success')
  t.equal((await zoes.reactions.remove({ message_id: sent.id, emoji_name: 'rose' })).result, 'success')
  t.equal((await zoes.reactions.remove({ message_id: sent.id, emoji_name: 'rose' })).code, 'REACTION_DOES_NOT_EXIST')
  t.equal((await zoes.messages.deleteById({ message_id: sent.id })).result, 'error', 'not one of yours')
})

t.test('flags that the server computes are refused', async t => {
  const sent = await client.messages.send({ type: 'stream', to: 'garden', topic: 'flags', content: 'hello' })
  const answer = await client.messages.flags.add({ messages: [sent.id], flag: 'mentioned' })
  t.equal(answer.result, 'error')
  t.equal(answer.code, 'BAD_REQUEST')
})

t.test('what is not in the API answers 404 in the envelope, not another shape', async t => {
  const { pointer } = client.users.me as unknown as {
    pointer: { retrieve(): Promise<{ result: string; code: string }> }
  }
  const answer = await pointer.retrieve()
  t.same([answer.result, answer.code], ['error', 'NOT_FOUND'])
})

t.test('direct messages and typing', async t => {
  const queue = await zoes.queues.register({ event_types: ['typing', 'message'] })
  t.equal((await client.typing.send({ op: 'start', to: [iago.id, zoe.id] })).result, 'success')
  const typing = await zoes.events.retrieve({ queue_id: queue.queue_id, last_event_id: queue.last_event_id })
  t.equal(typing.events[0].sender.user_id, iago.id)
  const sent = await client.messages.send({ type: 'private', to: zoe.email, content: 'psst' })
  const events = await zoes.events.retrieve({ queue_id: queue.queue_id, last_event_id: typing.events.at(-1).id })
  t.equal(events.events[0].message.id, sent.id)
  t.equal((await zoes.queues.deregister({ queue_id: queue.queue_id })).result, 'success')
  const gone = await zoes.events.retrieve({ queue_id: queue.queue_id, last_event_id: -1 })
  t.equal(gone.code, 'BAD_EVENT_QUEUE_ID')
})

t.test('callOnEachEvent gets every event once and in order', async t => {
  const listener = fork(
    fileURLToPath(new URL('./zulip-listener.js', import.meta.url)),
    [server.url, zoe.email, zoe.api_key],
    { silent: true },
  )
  t.teardown(() => listener.kill('SIGKILL'))
  const heard: { id: number; type: string; message?: { id: number; content: string } }[] = []
  let wake = () => {}
  listener.on('message', event => {
    heard.push(event as (typeof heard)[number])
    wake()
  })
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise<void>(resolve => (wake = resolve))
  }
  // The loop registers by itself at an unknown time: send until it answers.
  const knock = setInterval(() => client.messages.send({ type: 'private', to: zoe.email, content: 'knock' }), 200)
  await until(() => heard.length > 0)
  clearInterval(knock)
  const ids: number[] = []
  for (let i = 0; i < 20; i++) {
    ids.push((await client.messages.send({ type: 'stream', to: 'garden', topic: 'loop', content: `number ${i}` })).id)
  }
  await until(() => heard.some(event => event.message?.id === ids.at(-1)))
  t.same(
    heard.filter(event => ids.includes(event.message?.id ?? 0)).map(event => event.message?.id),
    ids,
  )
  const eventIds = heard.map(event => event.id)
  t.same(
    eventIds,
    [...new Set(eventIds)].sort((a, b) => a - b),
    'ids rise',
  )
})
