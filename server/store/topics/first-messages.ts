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

/**
 * The first message of each topic, in any order, for a user who may read messages there: where earlier history is protected, the first one that the
 * user received. A topic without such messages has none.
 */
export async function firstMessages(sql: ISql, userId: number, topics: readonly TopicPlace[]): Promise<FirstMessage[]> {
  return sql<FirstMessage[]>`
    select given.channel_id as "channelId", given.topic, first.id, floor(extract(epoch from first.date_sent))::int as timestamp
    from unnest(${topics.map(one => one.channelId)}::int[], ${topics.map(one => one.topic)}::text[]) as given (channel_id, topic)
    join channels on channels.id = given.channel_id
    left join subscriptions mine on mine.channel_id = channels.id and mine.user_id = ${userId}
    cross join lateral (
      select id, date_sent from messages
      where messages.channel_id = given.channel_id and lower(messages.topic) = lower(given.topic)
        and id >= case when history_public_to_subscribers then 0 else lower(mine.spans) end
        and (history_public_to_subscribers or id <@ mine.spans)
      order by id limit 1
    ) first`
}
