import t from 'tap'
import { until } from '../../http/until.js'
import type { Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server

async function channelOf(owner: Person, others: readonly Person[], name = `c${Math.random()}`): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [owner.id, ...others.map(one => one.id)],
  })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

const direct = async (from: Person, to: readonly Person[], content = 'hello'): Promise<number> =>
  (await from.ok('POST', '/messages', { type: 'direct', to: to.map(one => one.id), content })).id
const post = async (from: Person, to: number, content: string, topic = 'topic'): Promise<number> =>
  (await from.ok('POST', '/messages', { type: 'channel', to, topic, content })).id

/** Who gets a mail of the messages, by reason, after all is decided. */
async function missed(...ids: readonly number[]): Promise<Loose[]> {
  await until(async () => {
    const [row] = await sql<{ message_id: number }[]>`select message_id from notification_progress`
    return (row?.message_id ?? 0) >= Math.max(...ids) && (await sql`select from new_mentions`).length === 0
  })
  return [
    ...(await sql`
    select user_id, reason from missed_messages where message_id = any(${ids as number[]}::bigint[]) order by message_id, user_id`),
  ]
}

t.test('a direct message', async t => {
  const [a, b, c] = [await server.person(), await server.person(), await server.person()]
  t.same(await missed(await direct(a, [b, c])), [
    { user_id: b.id, reason: 'direct_message' },
    { user_id: c.id, reason: 'direct_message' },
  ])
  const channel = await channelOf(a, [b, c])
  t.same(await missed(await post(a, channel, `@**${b.full_name}** hi`)), [{ user_id: b.id, reason: 'mention' }])
  t.same(await missed(await post(a, channel, `@**all** hi`)), [
    { user_id: b.id, reason: 'followed_topic_channel_wildcard' },
    { user_id: c.id, reason: 'channel_wildcard' },
  ])
})
