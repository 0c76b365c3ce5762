import { visibilityPolicy } from '../../shared/resources/user-topic.js'
import { phrasesOf } from '../text/narrow.js'
import { every, type Fragment, joinFragments, q } from './fragment.js'
import { flagBit, wildcardBit } from './message-flags.js'

/** One condition on messages, with every name looked up. */
export type Condition = { readonly negated: boolean } & (
  | { readonly kind: 'channels'; readonly channelIds: readonly number[] }
  /** `older`: another spelling, of before names were cleaned. */
  | { readonly kind: 'topic'; readonly topic: string; readonly older?: string }
  | { readonly kind: 'conversation'; readonly id: number | null }
  | { readonly kind: 'conversationsOf'; readonly userIds: readonly number[]; readonly groupsOnly: boolean }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'mentions'; readonly userId: number }
  | { readonly kind: 'direct' | 'resolved' | 'starred' | 'mentioned' | 'alerted' | 'unread' | 'nothing' }
  | { readonly kind: 'has'; readonly what: 'link' | 'image' | 'attachment' | 'reaction' }
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'muted' | 'followed' }
  | { readonly kind: 'search'; readonly text: string }
)

/** Whose messages, and which of them. */
export interface Narrow {
  /** 0: a visitor without an account. */
  readonly userId: number
  /** Channels of which the user may read what it received, now and from former subscriptions. */
  readonly receivable: readonly number[]
  /**
   * `received`: what was sent to the user. A list: that, and all messages of these channels. `null`: the conditions
   * themselves name nothing but channels whose whole history is open to the user.
   */
  readonly scope: 'received' | readonly number[] | null
  readonly conditions: readonly Condition[]
}

/** The `with` in front of a query for the narrow's messages. */
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

/** Its `from` and `where`: for a look at all messages `m` in the order of their ids. */
export function narrowSql(narrow: Narrow): { head: Fragment; body: Fragment } {
  return {
    head: narrowHead(narrow),
    body: q`from messages m
      left join subs s on s.channel_id = m.channel_id
      left join convs c on c.id = m.conversation_id
      where ${narrowWhere(narrow)}`,
  }
}

/** What a message `m` must be, beside `s`, the user's subscription to its channel, and `c`, its conversation. */
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
  // Not `not`: what is unknown (the channel of a direct message) is not so either.
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
    case 'ids':
      return q`m.id = any(${condition.ids}::bigint[])`
    case 'muted':
      return mutedSql(userId)
    case 'followed':
      return inTopicsWith(userId, [visibilityPolicy.followed])
    case 'search':
      return searchSql(condition.text)
  }
}

/** Muted is a topic by its own policy, or else with its channel. */
const mutedSql = (userId: number): Fragment =>
  q`(${inTopicsWith(userId, [visibilityPolicy.muted])} or (coalesce(s.is_active and s.is_muted, false)
    and not ${inTopicsWith(userId, [visibilityPolicy.unmuted, visibilityPolicy.followed])}))`

/** The user's few topics are looked up once for all messages. */
const inTopicsWith = (userId: number, policies: readonly number[]): Fragment =>
  q`coalesce((m.channel_id, lower(m.topic)) in (
    select channel_id, lower(topic) from user_topics
    where user_id = ${userId}::int and visibility_policy = any(${policies}::int[])), false)`

const withFlag = (userId: number, bits: number): Fragment =>
  q`m.id in (select message_id from message_flags where user_id = ${userId}::int and flags & ${bits}::int <> 0)`

/**
 * What was received and not read. The lower bound, the first gap in what was read, keeps the old and read messages from
 * being looked at one by one. One's own message is read where it was sent from a program that shows it; a notice may be
 * read from the beginning.
 */
export function unreadSql(userId: number): Fragment {
  return q`(m.id >= (select coalesce(lower('{[0,)}'::int8multirange - ranges), 0) from reads)
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

/**
 * Words in any of their forms; what stands in quotation marks also as it is written. A search for nothing but stop words
 * looks for the text.
 */
function searchSql(text: string): Fragment {
  const query = tsquerySql(text)
  const written = every([q`m.search @@ ${query}`, ...phrasesOf(text).map(isWritten)])
  return q`case when numnode(${query}) = 0 then ${isWritten(text.replaceAll('"', ''))} else ${written} end`
}

function isWritten(text: string): Fragment {
  const like = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
  return q`(m.content ilike ${like} or m.topic ilike ${like})`
}

/** The words of a search, in any of their forms. */
export function tsquerySql(text: string): Fragment {
  const rest = text.replace(/"[^"]*"/g, ' ').replaceAll('"', ' ')
  const phrases = phrasesOf(text).map(phrase => q`phraseto_tsquery('english', ${phrase})`)
  return q`(${joinFragments([q`plainto_tsquery('english', ${rest})`, ...phrases], ' && ')})`
}
