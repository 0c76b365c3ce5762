import { asks } from './asks.js'
import { measureRequests } from './bench.js'

/** Measures the list of topics of a channel with thousands of them. */
export const topics = (args: string[]): Promise<void> =>
  measureRequests('topics', args, async ({ seeded }) => {
    const [rich] = await seeded.rows<{ channel_id: number; topics: number }>(
      `select channel_id, count(distinct lower(topic))::int as topics from messages where channel_id is not null
        group by channel_id order by topics desc limit 1`,
    )
    const [kept] = await seeded.rows<{ channel_id: number; id: number; email: string; api_key: string }>(
      `select channel_id, users.id, delivery_email as email, api_key
        from messages join channels on channels.id = channel_id and not history_public_to_subscribers
          join subscriptions using (channel_id) join users on users.id = user_id
        where subscriptions.is_active and users.is_active and not is_bot
        group by channel_id, users.id order by count(distinct lower(topic)) desc limit 1`,
    )
    const people = await seeded.people(50)
    if (!rich || !kept) throw new Error('there is no channel with topics')
    const list = (who: (typeof people)[number], channel: number) =>
      asks('GET', `/users/me/${channel}/topics`, who, { allow_empty_topic_name: 'true' })
    return [
      {
        name: `${rich.topics} topics of a public channel`,
        requests: people.map(person => list(person, rich.channel_id)),
        floor: { kind: 'query', text: newestOfTopics, values: [[rich.channel_id]] },
      },
      {
        name: 'a private channel with protected history',
        requests: [list(kept, kept.channel_id)],
        floor: { kind: 'query', text: newestOfTopics, values: [[kept.channel_id]] },
      },
    ]
  })

/** One index lookup per topic: the minimum for a query that reads the messages. */
const newestOfTopics = `
  with recursive topics as (
    (select lower(topic) as key from messages where channel_id = $1::int order by lower(topic) limit 1)
    union all
    select (select lower(m.topic) from messages m where m.channel_id = $1::int and lower(m.topic) > topics.key
      order by lower(m.topic) limit 1)
    from topics where topics.key is not null
  )
  select newest.topic as name, newest.id as max_id
  from topics cross join lateral (
    select id, topic from messages where channel_id = $1::int and lower(topic) = topics.key order by id desc limit 1
  ) newest
  order by max_id desc`
