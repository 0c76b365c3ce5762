import type { ISql } from '../driver/db.js'

/** A topic by any spelling. */
export interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

interface FirstMessage extends TopicPlace {
  readonly id: number
  readonly timestamp: number
}

/** The first message of each topic, in any order; a topic without messages has none. */
export async function firstMessages(sql: ISql, topics: readonly TopicPlace[]): Promise<FirstMessage[]> {
  return sql<FirstMessage[]>`
    select channel_id as "channelId", given.topic, first.id, floor(extract(epoch from first.date_sent))::int as timestamp
    from unnest(${topics.map(one => one.channelId)}::int[], ${topics.map(one => one.topic)}::text[]) as given (channel_id, topic)
    cross join lateral (
      select id, date_sent from messages
      where messages.channel_id = given.channel_id and lower(messages.topic) = lower(given.topic)
      order by id limit 1
    ) first`
}
