import type { ISql } from '../driver/db.js'

/** What an export contains. */
export interface ExportScope {
  /** Channels of which it contains the row and all messages; null: all channels, and all messages. */
  readonly channels: readonly number[] | null
  /** Further channels, of which it contains what people received who share their private data: spans of message ids. */
  readonly received: readonly { readonly channel_id: number; readonly spans: string }[]
  /** Accounts whose private data it contains, direct messages included; null: of all accounts. */
  readonly accounts: readonly number[] | null
  /** The person of an export of one person; null: it is one of the organization. */
  readonly person: ExportedPerson | null
  readonly since: number
  readonly cut: number
}

/** The export contains all messages that the person has sent, beside direct messages. */
export interface ExportedPerson {
  readonly id: number
  /** Channels whose names and topics the person may read. */
  readonly channels: readonly number[]
}

/** Channels of which an export may have names; null: all. */
export const channelsOf = ({ channels, received, person }: ExportScope): number[] | null =>
  channels && [...channels, ...received.map(one => one.channel_id), ...(person?.channels ?? [])]

/** Whether the export contains the message `m`, apart from its id. */
export const hasMessage = (sql: ISql, { channels, received, accounts, person }: ExportScope) =>
  channels === null
    ? sql`true`
    : sql`(
      m.channel_id = any(${channels as number[]}::int[])
      or exists (
        select from unnest(${received.map(one => one.channel_id)}::int[], ${received.map(one => one.spans)}::text[]) as r (channel_id, spans)
        where r.channel_id = m.channel_id and m.id <@ r.spans::int8multirange
      )
      or exists (select from conversations c where c.id = m.conversation_id and c.user_ids && ${(accounts ?? []) as number[]}::int[])
      ${person ? sql`or m.sender_id = ${person.id}` : sql``}
    )`

/** Whether a column has a listed id; null: every id is. */
export const isListed = (sql: ISql, column: string, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${sql(column)} = any(${ids as number[]}::int[])`

/** Whether a column names the person of an export of one person; in another export it may name any. */
export const isOfPerson = (sql: ISql, column: string, { person }: ExportScope) =>
  person ? sql`${sql(column)} = ${person.id}` : sql`true`

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
