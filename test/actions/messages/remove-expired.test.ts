import t from 'tap'
import { removeExpired } from '../../../server/actions/messages/remove-expired.js'
import { Listener } from '../../support/in-step.js'
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
