import type { ISql } from '../driver/db.js'

/** What an export contains. */
export interface ExportScope {
  /** Channels of which it contains the row and all messages; null: all channels, and all messages. */
  readonly channels: readonly number[] | null
  /** Further channels, of which it contains what people received who share their private data: spans of message ids. */
  readonly received: readonly { readonly channel_id: number; readonly spans: string }[]
  /** Accounts whose private data it contains, direct messages included; null: of all accounts. */
  readonly accounts: readonly number[] | null
  readonly since: number
  readonly cut: number
}

/** Channels of which an export contains at least some messages; null: all. */
export const channelsOf = ({ channels, received }: ExportScope): number[] | null =>
  channels && [...channels, ...received.map(one => one.channel_id)]

/** Whether the export contains the message `m`, apart from its id. */
export const hasMessage = (sql: ISql, { channels, received, accounts }: ExportScope) =>
  channels === null
    ? sql`true`
    : sql`(
      m.channel_id = any(${channels as number[]}::int[])
      or exists (
        select from unnest(${received.map(one => one.channel_id)}::int[], ${received.map(one => one.spans)}::text[]) as r (channel_id, spans)
        where r.channel_id = m.channel_id and m.id <@ r.spans::int8multirange
      )
      or exists (select from conversations c where c.id = m.conversation_id and c.user_ids && ${(accounts ?? []) as number[]}::int[])
    )`

/** Whether a column has a listed id; null: every id is. */
export const isListed = (sql: ISql, column: string, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${sql(column)} = any(${ids as number[]}::int[])`

/** What each of these people received in a channel, put together by channel. */
export function receivedSpans(
  sql: ISql,
  pairs: readonly (readonly [userId: number, channelId: number])[],
): Promise<{ channel_id: number; spans: string }[]> {
  return sql<{ channel_id: number; spans: string }[]>`
    select channel_id, range_agg(span)::text as spans
    from unnest(${pairs.map(([id]) => id)}::int[], ${pairs.map(([, id]) => id)}::int[]) as pair (user_id, channel_id)
      join subscriptions using (user_id, channel_id) cross join unnest(subscriptions.spans) as span
    group by channel_id order by channel_id`
}
