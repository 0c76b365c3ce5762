import { asks } from './asks.js'
import { measureRequests } from './bench.js'
import type { FloorWork } from './protocol.js'
import type { RequestCase } from './request-case.js'
import type { SeededUser } from './seeded.js'

const size = 100

/** Measures pages of messages with different narrows. */
export const messages = (args: string[]): Promise<void> =>
  measureRequests('messages', args, async ({ seeded }) => {
    const people = await seeded.people(50)
    const [busy] = await seeded.rows<{ channel_id: number }>(
      'select channel_id from messages where channel_id is not null group by channel_id order by count(*) desc limit 1',
    )
    const [topic] = await seeded.rows<{ channel_id: number; topic: string }>(
      `select channel_id, min(topic) as topic from messages where channel_id = $1 group by channel_id, lower(topic)
        order by count(*) desc limit 1`,
      [busy?.channel_id ?? 0],
    )
    const pairs = await seeded.rows<SeededUser & { other: number; conversation: number }>(
      `select users.id, delivery_email as email, api_key, user_ids[2] as other, conversations.id as conversation
        from conversations join users on users.id = user_ids[1] and users.is_active
        where cardinality(user_ids) = 2 order by conversations.id limit 50`,
    )
    if (!busy || !topic) throw new Error('nothing was said')
    const page = (anchor: string, narrow: readonly object[]) => ({
      anchor,
      num_before: String(size),
      num_after: anchor === 'first_unread' ? String(size) : '0',
      narrow: JSON.stringify(narrow),
    })
    const of = (name: string, floor: FloorWork, narrow: readonly object[], anchor = 'newest'): RequestCase => ({
      name,
      requests: people.map(person => asks('GET', '/messages', person, page(anchor, narrow))),
      floor,
    })
    const bytes = { kind: 'bytes' } as const
    const channel = { operator: 'channel', operand: busy.channel_id }
    return [
      of('all', bytes, []),
      of('a channel', query('channel_id = $1::int', [[busy.channel_id]]), [channel]),
      of('a topic', query('channel_id = $1::int and lower(topic) = lower($2)', [[topic.channel_id, topic.topic]]), [
        channel,
        { operator: 'topic', operand: topic.topic },
      ]),
      {
        name: 'a conversation',
        requests: pairs.map(pair =>
          asks('GET', '/messages', pair, page('newest', [{ operator: 'dm', operand: [pair.other] }])),
        ),
        floor: query(
          'conversation_id = $1::int',
          pairs.map(pair => [pair.conversation]),
        ),
      },
      of('direct messages', bytes, [{ operator: 'is', operand: 'dm' }]),
      of(
        'a sender',
        query(
          'sender_id = $1::int',
          people.map(one => [one.id]),
        ),
        [{ operator: 'sender', operand: people[0]?.id }],
      ),
      of('a search', query("search @@ plainto_tsquery('english', $1)", [['budget']]), [
        { operator: 'search', operand: 'budget' },
      ]),
      of('mentions', bytes, [{ operator: 'is', operand: 'mentioned' }]),
      of('starred', bytes, [{ operator: 'is', operand: 'starred' }]),
      of('first unread', bytes, [], 'first_unread'),
    ]
  })

const query = (where: string, values: readonly (readonly (number | string)[])[]): FloorWork => ({
  kind: 'query',
  text: `select id, sender_id, channel_id, topic, rendered_content, date_sent, client, last_edit_time from messages
    where ${where} order by id desc limit ${size}`,
  values,
})
