import type { ISql } from '../driver/db.js'
import { type Fragment, q, run } from '../driver/fragment.js'
import { rangesOf, rangeTest } from '../driver/id-ranges.js'
import { type FlagFacts, flagBit, wildcardBit } from '../messages/message-flags.js'
import type { AnswerMessage } from '../messages/message-rows.js'

/** What of a message, beside its texts, decides its flags for a user; it changes only with its version. */
export type FlaggedMessage = Pick<
  AnswerMessage,
  'id' | 'sender_id' | 'channel_id' | 'user_ids' | 'read_by_sender' | 'read_by_all' | 'wildcard_mentions'
>

/** The messages of a page as one user sees them, without their content. */
export interface PageState {
  readonly userId: number
  /** Ascending. */
  readonly ids: readonly number[]
  /** Of each id: what changes with every change of the message that its readers see. See `versionOf`. */
  readonly versions: readonly string[]
  /** The user's rows in message_flags. */
  readonly flags: ReadonlyMap<number, number>
  isInReadState(id: number): boolean
  /** By channel; other channels: the user was never subscribed. */
  readonly subscriptions: ReadonlyMap<number, { readonly isActive: boolean; received(id: number): boolean }>
}

/**
 * The version of a message: the transaction that wrote its row, and its reactions, whose rows never change. An edit, a move, a
 * submessage and a new rendering write the row.
 */
export const versionOf = (row: number, reactionIds: readonly number[]): string =>
  reactionIds.length === 0 ? String(row) : `${row}:${reactionIds.join()}`

/** Reads a page in one statement and one row. `page`: a query for rows (id, channel_id, version), `version` being the column xmin. */
export async function pageState(sql: ISql, userId: number, page: Fragment): Promise<PageState> {
  const [row] = await run<StateRow>(sql, q`with page as materialized (${page}) ${stateOf(userId)}`, true)
  const ids = numbers(row?.ids)
  const rows = numbers(row?.versions)
  const reactions = new Map(pairs(row?.reactions ?? null, ';').map(([id, list]) => [Number(id), list]))
  const reads = rangeTest(rangesOf(row?.reads ?? ''))
  return {
    userId,
    ids,
    versions: ids.map((id, i) => versionOf(rows[i] as number, numbers(reactions.get(id)))),
    flags: new Map(pairs(row?.flags ?? null, ',').map(([id, bits]) => [Number(id), Number(bits)])),
    isInReadState: reads,
    subscriptions: new Map(pairs(row?.subscriptions ?? null, ';').map(subscription)),
  }
}

/** The state of these messages. */
export const stateOfMessages = (sql: ISql, userId: number, ids: readonly number[]): Promise<PageState> =>
  pageState(
    sql,
    userId,
    q`select m.id, m.channel_id, m.xmin as version from messages m where m.id = any(${ids}::bigint[])`,
  )

// Texts: one row of six costs the worker less than a row of each message.
interface StateRow {
  ids: string | null
  versions: string | null
  reactions: string | null
  flags: string | null
  reads: string | null
  subscriptions: string | null
}

const stateOf = (userId: number): Fragment => q`
  select (select string_agg(id::text, ',' order by id) from page) as ids,
    (select string_agg(version::text, ',' order by id) from page) as versions,
    (
      select string_agg(message_id || ':' || ids, ';') from (
        select message_id, string_agg(id::text, ',' order by id) as ids
        from reactions where message_id = any(array(select id from page)) group by message_id
      ) reacted
    ) as reactions,
    (
      select string_agg(message_id || ':' || flags, ',') from message_flags
      where user_id = ${userId}::int and message_id = any(array(select id from page))
    ) as flags,
    (
      select range_agg(r)::text from read_state, unnest(ranges) as r
      where user_id = ${userId}::int and block between (select min(id) from page) >> 16 and (select max(id) from page) >> 16
    ) as reads,
    (
      select string_agg(channel_id || ':' || case when is_active then 'a' else '' end || spans, ';') from subscriptions
      where user_id = ${userId}::int and channel_id = any(array(select distinct channel_id from page))
    ) as subscriptions`

const numbers = (list: string | null | undefined): number[] => (list ? JSON.parse(`[${list}]`) : [])

const pairs = (text: string | null, separator: string): [string, string][] =>
  text === null ? [] : text.split(separator).map(pair => pair.split(':') as [string, string])

function subscription([channelId, text]: [string, string]) {
  const received = rangeTest(rangesOf(text))
  return [Number(channelId), { isActive: text.startsWith('a'), received }] as const
}

/** What decides the flags of a message of the page. */
export function flagFacts(state: PageState, message: FlaggedMessage): FlagFacts {
  const { id, channel_id, user_ids, sender_id, read_by_all, read_by_sender } = message
  const bits = state.flags.get(id) ?? 0
  const subscription = channel_id === null ? undefined : state.subscriptions.get(channel_id)
  const isReadFromStart =
    (read_by_all || (read_by_sender && sender_id === state.userId)) && (bits & flagBit.ownUnread) === 0
  return {
    bits,
    isRead: state.isInReadState(id) || (channel_id !== null && !subscription?.isActive) || isReadFromStart,
    isReceived: user_ids?.includes(state.userId) ?? subscription?.received(id) ?? false,
    mentionsChannel: (message.wildcard_mentions & wildcardBit.channel) !== 0,
  }
}
