import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { removeExpired } from '../../../server/actions/retention/remove-expired.js'
import { setForOrganization } from '../../../server/actions/settings/change-organization.js'
import { Listener } from '../../support/in-step.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('messages go when their channel no longer keeps them; other channels and younger messages stay', async t => {
  const owner = await server.person({ role: 100 })
  const member = await server.person()
  const place = async (name: string, days: number | string) => {
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.id, member.id] })
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name })
    await owner.ok('PATCH', `/streams/${stream_id}`, { message_retention_days: days })
    return stream_id as number
  }
  const [week, kept, byDefault] = [
    await place('week', 7),
    await place('kept', 'unlimited'),
    await place('default', 'realm_default'),
  ]
  const send = async (to: number, topic: string, count: number) => {
    const ids: number[] = []
    for (let i = 0; i < count; i++) {
      ids.push((await member.ok('POST', '/messages', { type: 'channel', to, topic, content: 'text' })).id)
    }
    return ids
  }
  const old = [...(await send(week, 'one', 60)), ...(await send(week, 'two', 60))]
  const others = [...(await send(kept, 'one', 1)), ...(await send(byDefault, 'one', 1))]
  await server.sql`update messages set date_sent = now() - interval '8 days'`
  const young = await send(week, 'one', 2)
  const ears = await Listener.start(server.ctx, member)
  await removeExpired(server.ctx)

  const left = await server.sql<
    { id: number }[]
  >`select id from messages where id = any(${[...old, ...others, ...young]}) order by id`
  t.same(
    left.map(row => row.id),
    [...others, ...young].sort((a, b) => a - b),
  )
  const deleted = (await ears.inStep(t)).filter(event => event.type === 'delete_message')
  t.same(
    deleted.flatMap(event => event.message_ids).sort((a: number, b: number) => a - b),
    old,
  )
  await removeExpired(server.ctx)
  t.same(
    (await ears.inStep(t)).filter(event => event.type === 'delete_message'),
    [],
  )
})

t.test(
  'the organization keeps direct messages, and those of channels without a number of their own, so long',
  async t => {
    const owner = await server.person({ role: 100 })
    const member = await server.person()
    const send = async (to: readonly number[], count: number) => {
      const ids: number[] = []
      for (let i = 0; i < count; i++) {
        ids.push((await member.ok('POST', '/messages', { type: 'direct', to, content: 'text' })).id)
      }
      return ids
    }
    const inChannel = async (name: string, days: number | string) => {
      await owner.ok('POST', '/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [owner.id, member.id],
      })
      const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name })
      await owner.ok('PATCH', `/streams/${stream_id}`, { message_retention_days: days })
      return (await member.ok('POST', '/messages', { type: 'channel', to: stream_id, topic: 'one', content: 'text' }))
        .id
    }
    const expired = [
      ...(await send([owner.id], 120)),
      ...(await send([member.id], 1)),
      await inChannel('as all', 'realm_default'),
    ]
    const kept = [await inChannel('for ever', 'unlimited'), await inChannel('longer', 30)]
    await server.sql`update messages set date_sent = now() - interval '8 days'`
    kept.push(...(await send([owner.id], 1)))
    const ids = [...expired, ...kept]
    const left = async () => (await server.sql<{ id: number }[]>`select id from messages where id = any(${ids})`).length
    const ears = await Listener.start(server.ctx, owner)

    await removeExpired(server.ctx)
    t.equal(await left(), ids.length, 'the organization keeps all by default')
    await setForOrganization(server.ctx, 'message_retention_days', 7)
    await removeExpired(server.ctx)
    t.equal(await left(), ids.length, 'a shorter time waits for a day')
    // The clock of the server goes on: after a day, the queue of the reader would be gone.
    await server.sql`update retention_terms set applies_at = now() - interval '1 second' where applies_at is not null`
    await removeExpired(server.ctx)
    t.equal(await left(), kept.length)
    const deleted = (await ears.inStep(t)).filter(event => event.type === 'delete_message')
    t.same(
      deleted.flatMap(event => event.message_ids).toSorted((a: number, b: number) => a - b),
      expired.filter(id => id !== expired[120]),
      'the reader is told of all but the message that its sender wrote to itself',
    )
    await setForOrganization(server.ctx, 'message_retention_days', -1)
  },
)

t.test('a batch has no statement for each topic, and each reader learns by topic what it could see', async t => {
  const [owner, late] = [await server.person({ role: 100 }), await server.person()]
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'secret' }],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const { stream_id: to } = await owner.ok('GET', '/get_stream_id', { stream: 'secret' })
  await owner.ok('PATCH', `/streams/${to}`, { message_retention_days: 7 })
  // The job of the change may have stored it already.
  await server.sql`insert into retention_terms (channel_id, days) values (${to}, 7) on conflict (channel_id) do update set days = 7`
  const send = async (topics: readonly string[]) => {
    const ids: number[] = []
    for (const topic of topics) {
      ids.push((await owner.ok('POST', '/messages', { type: 'channel', to, topic, content: 'text' })).id)
    }
    return ids
  }
  const statements = async () => {
    await server.sql`update messages set date_sent = now() - interval '8 days' where channel_id = ${to}`
    return (await statementsOf(server, () => removeExpired(server.ctx))).length
  }
  const early = await send(['one', 'two'])
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [late.id] })
  const [one = 0, ...others] = await send(['one', 'three', 'two', 'three'])
  const ears = await Promise.all([owner, late].map(person => Listener.start(server.ctx, person)))
  const ofMany = await statements()
  const [all, some] = await Promise.all(ears.map(ear => ear.inStep(t)))
  const deleted = (events: typeof all) =>
    Object.fromEntries(
      (events ?? []).flatMap(event => (event.type === 'delete_message' ? [[event.topic, event.message_ids]] : [])),
    )
  t.same(deleted(all), { one: [early[0], one], two: [early[1], others[1]], three: [others[0], others[2]] })
  t.same(deleted(some), { one: [one], two: [others[1]], three: [others[0], others[2]] })
  await send(['one', 'one', 'one', 'one', 'one', 'one'])
  t.equal(ofMany, await statements())
})

t.test('a channel without expired messages is not locked', async t => {
  const owner = await server.person({ role: 100 })
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'year' }] })
  const { stream_id: to } = await owner.ok('GET', '/get_stream_id', { stream: 'year' })
  await owner.ok('PATCH', `/streams/${to}`, { message_retention_days: 365 })
  await owner.ok('POST', '/messages', { type: 'channel', to, topic: 'one', content: 'young' })
  await removeExpired(server.ctx)
  await server.sql.begin(async tx => {
    await tx`select from channels where id = ${to} for update`
    const done = removeExpired(server.ctx).then(() => 'done')
    t.equal(await Promise.race([done, setTimeout(10_000, 'waits')]), 'done')
  })
})
