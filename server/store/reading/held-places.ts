import type { ISql, Tx } from '../driver/db.js'
import type { PlacedMessage } from '../messages/message-rows.js'
import { isVersion } from '../organization/organization.js'
import type { Parts } from '../organization/outbox.js'

/** Messages as a user saw them. */
export interface Places {
  /** Ascending by id. */
  readonly messages: readonly Pick<PlacedMessage, 'id' | 'channel_id' | 'topic'>[]
  /** Their channels to which the user was subscribed, ascending. */
  readonly subscribed: readonly number[]
  /** Of the organization. */
  readonly version: number
}

// The type of elements, stated because postgres.js infers a wrong array type where the first one is null.
const int4 = 23

/** What `heldPlaces` compares. `version`: of the organization, whose permissions the decision used. */
export function placesOf(messages: readonly PlacedMessage[], version: number): Places {
  const subscribed = messages.flatMap(row => (row.channel_id !== null && row.is_subscribed ? [row.channel_id] : []))
  return { messages, subscribed: [...new Set(subscribed)].sort((a, b) => a - b), version }
}

/**
 * The part `checked` of `storeWithEvents`: has a row if the organization is unchanged, the messages exist at these places, and the user is
 * subscribed to the same of their channels. Locks these subscriptions and then the messages: both stay as they are until the commit.
 */
export function heldPlaces(sql: ISql, userId: number, { messages, subscribed, version }: Places): Parts {
  const ids = messages.map(one => one.id)
  const channelIds = messages.map(one => one.channel_id)
  const topics = messages.map(one => one.topic)
  return sql`
    subs as materialized (
      select channel_id, is_active from subscriptions
      where user_id = ${userId} and channel_id = any(${sql.array(channelIds, int4)}::int[])
      order by channel_id for share
    ), found as materialized (
      select m.id from messages m
        join unnest(${ids}::bigint[], ${sql.array(channelIds, int4)}::int[], ${topics}::text[]) as given (id, channel_id, topic)
          on given.id = m.id
      where m.channel_id is not distinct from given.channel_id and m.topic = given.topic
        and array(select channel_id from subs where is_active order by channel_id) = ${subscribed as number[]}::int[]
      order by m.id for share of m
    ), checked as materialized (select 1 from found having count(*) = ${ids.length} and ${isVersion(sql, version)})`
}

/** Takes the locks of `heldPlaces` in a transaction. */
export async function holdPlaces(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await tx`
    select from subscriptions
    where user_id = ${userId} and channel_id in (select channel_id from messages where id = any(${ids as number[]}::bigint[]))
    order by channel_id for share`
  await tx`select from messages where id = any(${ids as number[]}::bigint[]) order by id for share`
}
