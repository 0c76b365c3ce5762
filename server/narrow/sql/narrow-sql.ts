import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { every, type Fragment, q } from '../../store/driver/fragment.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { type SearchQuery, tsquery } from '../../text/search/query.js'
import { isWritten, searchBefore } from './search-before.js'

/** One condition on messages, with names resolved to ids. */
export type Condition = {
  readonly negated: boolean
} /** `isNamed`: the client named this one channel, and no kind of channels. */ & (
  | { readonly kind: 'channels'; readonly channelIds: readonly number[]; readonly isNamed?: true }
  /** `older`: the uncleaned spelling, which old messages can have. */
  | { readonly kind: 'topic'; readonly topic: string; readonly older?: string }
  | { readonly kind: 'conversation'; readonly id: number | null }
  | { readonly kind: 'conversationsOf'; readonly userIds: readonly number[]; readonly groupsOnly: boolean }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'mentions'; readonly userId: number }
  | { readonly kind: 'direct' | 'resolved' | 'starred' | 'mentioned' | 'alerted' | 'unread' | 'nothing' }
  | { readonly kind: 'has'; readonly what: 'link' | 'image' | 'attachment' | 'reaction' }
  | { readonly kind: 'id'; readonly id: number }
  /** This message and all later ones. */
  | { readonly kind: 'since'; readonly id: number }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  /** `topicMuted`: muted by the policy of the topic itself. */
  | { readonly kind: 'muted' | 'topicMuted' | 'followed' }
  | SearchCondition
)

/** `isBefore`: the words of this program are not made yet. */
interface SearchCondition {
  readonly kind: 'search'
  readonly query: SearchQuery
  readonly isBefore?: true
}

/** The messages of one user that match all conditions. */
export interface Narrow {
  /**0: a spectator. */
  readonly userId: number
  /** Channels in which the user may read received messages, of active and former subscriptions. */
  readonly receivable: readonly number[]
  /**
   * `received`: messages that the user received. A list: these, and all messages of the listed channels. `null`: the conditions
   * select only channels whose whole history the user may read.
   */
  readonly scope: 'received' | readonly number[] | null
  readonly conditions: readonly Condition[]
}

/** What the messages of the narrow must contain. */
export const searchesOf = ({ conditions }: Narrow): SearchQuery[] =>
  conditions.flatMap(one => (one.kind === 'search' && !one.negated ? [one.query] : []))

/** The `with` clause of a query for the narrow's messages. */
export function narrowHead({ userId, receivable }: Narrow): Fragment {
  return q`with subs as materialized (
      select channel_id, spans, is_active, is_muted from subscriptions
      where user_id = ${userId}::int and channel_id = any(${receivable}::int[])
    ), convs as materialized (
      select id from conversations where user_ids @> array[${userId}::int]
    ), reads as materialized (
      select coalesce(range_agg(r), '{}'::int8multirange) as ranges
      from read_state, unnest(ranges) as r where user_id = ${userId}::int
    )`
}

/** The `with`, `from` and `where` clauses of a query that scans all messages `m`. */
export function narrowSql(narrow: Narrow): { head: Fragment; body: Fragment } {
  // Without conditions, too few messages are visited for this to pay for reading the user's conversations.
  const place = narrow.conditions.length > 0 ? inPlaceOfReader : q`true`
  return {
    head: narrowHead(narrow),
    body: q`from messages m ${placeOfEach(narrow)} where ${place} and ${narrowWhere(narrow)}`,
  }
}

/** True for all messages but direct ones of others, whose conversations would be looked up one by one. */
const inPlaceOfReader = q`(m.channel_id is not null or m.conversation_id in (select id from convs))`

/**
 * Joins the user's subscription `s` and conversation `c` to each message `m`. `offset 0` keeps PostgreSQL from
 * joining lists of all subscriptions and conversations, which it would compare with each message; so it looks each place up once.
 */
export const placeOfEach = ({ userId, receivable }: Narrow): Fragment =>
  q`left join lateral (
      select channel_id, spans, is_active, is_muted from subscriptions
      where user_id = ${userId}::int and channel_id = m.channel_id offset 0
    ) s on s.channel_id = any(${receivable}::int[])
    left join lateral (
      select id from conversations where id = m.conversation_id and user_ids @> array[${userId}::int] offset 0
    ) c on true`

/** As `narrowSql`, for a scope of whole channels with conditions on the message alone: its plan costs PostgreSQL a third. */
export function plainNarrowSql(narrow: Narrow): { head: Fragment; body: Fragment } {
  return { head: q``, body: q`from messages m where ${narrowWhere(narrow)}` }
}

/** The condition on a message `m`; `s` is the user's subscription to its channel, `c` its conversation. */
export const narrowWhere = (narrow: Narrow): Fragment =>
  q`${scopeSql(narrow.scope)} and ${every(narrow.conditions.map(one => conditionSql(one, narrow.userId)))}`

const received = q`(c.id is not null or m.id <@ s.spans)`

function scopeSql(scope: Narrow['scope']): Fragment {
  if (scope === null) return q`true`
  if (scope === 'received') return received
  return q`(${received} or m.channel_id = any(${scope}::int[]))`
}

function conditionSql(condition: Condition, userId: number): Fragment {
  const positive = positiveSql(condition, userId)
  // Not `not`: a condition that is null, for example on the channel of a direct message, counts as false before the negation.
  return condition.negated ? q`(${positive}) is not true` : positive
}

function positiveSql(condition: Condition, userId: number): Fragment {
  switch (condition.kind) {
    case 'channels':
      return condition.channelIds.length === 1
        ? q`m.channel_id = ${condition.channelIds[0]}::int`
        : q`m.channel_id = any(${condition.channelIds}::int[])`
    case 'topic':
      return condition.older === undefined
        ? q`(m.channel_id is not null and lower(m.topic) = lower(${condition.topic}))`
        : q`(m.channel_id is not null and lower(m.topic) in (lower(${condition.topic}), lower(${condition.older})))`
    case 'conversation':
      return condition.id === null ? q`false` : q`m.conversation_id = ${condition.id}::int`
    case 'conversationsOf':
      return q`m.conversation_id in (select id from conversations where user_ids @> ${condition.userIds}::int[]
        and (${!condition.groupsOnly}::boolean or cardinality(user_ids) > 2))`
    case 'sender':
      return q`m.sender_id = ${condition.userId}::int`
    case 'mentions':
      return withFlag(condition.userId, flagBit.mentioned)
    case 'direct':
      return q`m.conversation_id is not null`
    case 'resolved':
      return q`(m.channel_id is not null and starts_with(m.topic, '✔ '))`
    case 'starred':
      return withFlag(userId, flagBit.starred)
    case 'alerted':
      return withFlag(userId, flagBit.has_alert_word)
    case 'mentioned':
      return q`((m.wildcard_mentions & ${wildcardBit.channel}::int <> 0 and m.id <@ s.spans)
        or ${withFlag(userId, flagBit.mentioned | flagBit.topic_wildcard_mentioned)})`
    case 'unread':
      return unreadSql(userId)
    case 'nothing':
      return q`false`
    case 'has':
      return hasSql(condition.what)
    case 'id':
      return q`m.id = ${condition.id}::bigint`
    case 'since':
      return q`m.id >= ${condition.id}::bigint`
    case 'ids':
      return q`m.id = any(${condition.ids}::bigint[])`
    case 'muted':
      return mutedSql(userId)
    case 'topicMuted':
      return inTopicsWith(userId, [visibilityPolicy.muted])
    case 'followed':
      return inTopicsWith(userId, [visibilityPolicy.followed])
    case 'search':
      return searchSql(condition)
  }
}

/** Messages of topics that are muted by their own policy, or without a policy by their channel. */
const mutedSql = (userId: number): Fragment =>
  q`(${inTopicsWith(userId, [visibilityPolicy.muted])} or (coalesce(s.is_active and s.is_muted, false)
    and not ${inTopicsWith(userId, [visibilityPolicy.unmuted, visibilityPolicy.followed])}))`

/** A subquery without references to `m`, so PostgreSQL reads the user's topics once for all messages. */
const inTopicsWith = (userId: number, policies: readonly number[]): Fragment =>
  q`coalesce((m.channel_id, lower(m.topic)) in (
    select channel_id, lower(topic) from user_topics
    where user_id = ${userId}::int and visibility_policy = any(${policies}::int[])), false)`

const withFlag = (userId: number, bits: number): Fragment =>
  q`m.id in (select message_id from message_flags where user_id = ${userId}::int and flags & ${bits}::int <> 0)`

/** The first id, from that of the oldest message on, that the user's read state does not contain. */
const firstGap = q`(
  select coalesce(lower(int8multirange(int8range((select min(id) from messages), null)) - ranges), 0) from reads
)`

/**
 * Received and unread messages. The lower bound, the first gap in the read state, skips old read messages. `read_by_sender`: a client
 * that shows its own messages sent it. `read_by_all`: the message counts as read from the start, as some notices do.
 */
function unreadSql(userId: number): Fragment {
  return q`(m.id >= ${firstGap}
    and not m.id <@ (select ranges from reads)
    and (c.id is not null or (s.is_active and m.id <@ s.spans))
    and (not (m.read_by_all or m.sender_id = ${userId}::int and m.read_by_sender) or ${withFlag(userId, flagBit.ownUnread)}))`
}

function hasSql(what: 'link' | 'image' | 'attachment' | 'reaction'): Fragment {
  switch (what) {
    case 'link':
      return q`m.has_link`
    case 'image':
      return q`m.has_image`
    case 'attachment':
      return q`m.has_attachment`
    case 'reaction':
      return q`exists (select from reactions r where r.message_id = m.id)`
  }
}

/** A text without words, for example of punctuation alone, is looked for as it is. */
function searchSql({ query, isBefore }: SearchCondition): Fragment {
  if (isBefore) return searchBefore(query.text)
  const words = tsquery(query.groups)
  if (words !== undefined) return q`m.search @@ ${words}::tsquery`
  // Quotation marks alone are what is meant: without them each message would match.
  return isWritten(query.text.replaceAll('"', '').trim() || query.text)
}
