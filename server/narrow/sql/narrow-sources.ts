import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import { type Fragment, joinFragments, q } from '../../store/driver/fragment.js'
import { flagBit } from '../../store/messages/message-flags.js'
import { hasBeginning, type SearchQuery, tsquery } from '../../text/search/query.js'
import { type Condition, type Narrow, narrowWhere, placeOfEach } from './narrow-sql.js'
import { queryBefore } from './search-before.js'

/**
 * Selects for the narrow's messages that each start from an index with few rows; together they find all. `tail` has the bounds,
 * order and limit of each select.
 */
export function narrowSources(narrow: Narrow, tail: Fragment): Fragment[] {
  const marked = markedIds(narrow)
  if (marked) {
    return [
      q`(select m.id from (${marked} offset 0) marked join messages m on m.id = marked.id
        left join subs s on s.channel_id = m.channel_id
        left join convs c on c.id = m.conversation_id
        where ${narrowWhere(narrow)} ${tail})`,
    ]
  }
  if (has(narrow, 'followed')) return [fromTopics(narrow, visibilityPolicy.followed, q`true`, tail)]
  const inChannels = !has(narrow, 'direct') && !has(narrow, 'conversationsOf')
  const inConversations = narrow.scope !== null && !has(narrow, 'channels')
  const isMuted = has(narrow, 'muted')
  const parts = [
    ...(inChannels ? [fromChannels(narrow, isMuted, tail)] : []),
    ...(inChannels && isMuted ? [fromTopics(narrow, visibilityPolicy.muted, q`not ${mutesChannel}`, tail)] : []),
    ...(inConversations ? [fromConversations(narrow, tail)] : []),
  ]
  return parts.length > 0 ? parts : [q`(select null::bigint as id where false)`]
}

/** Whether the user's flags or policies lead to the messages of the narrow: these can be few and of any age. */
export const startsFromOwn = (narrow: Narrow): boolean =>
  (['starred', 'alerted', 'mentions', 'mentioned', 'muted', 'followed'] as const).some(kind => has(narrow, kind))

/** Whether the narrow has a condition of this kind that is not negated. */
export const has = (narrow: Narrow, kind: Condition['kind']): boolean =>
  narrow.conditions.some(one => one.kind === kind && !one.negated)

/** What the search index is asked for. The index reads all messages with a beginning before any other word counts. */
export interface IndexedWords {
  readonly all: Fragment
  /** Those of `all` that are beginnings of words, and the others. */
  readonly beginnings: Fragment | undefined
  readonly others: Fragment | undefined
}

/**
 * The query of the search index for the words and attachments of the narrow; undefined: it has none, or other indexes lead to its
 * messages: of direct messages a user has few.
 */
export function indexedWords(narrow: Narrow): IndexedWords | undefined {
  if (startsFromOwn(narrow) || has(narrow, 'direct') || has(narrow, 'conversationsOf')) return undefined
  const words = narrow.conditions.filter(one => !one.negated).map(wordsOf)
  const others = together(words.flatMap(one => one.others))
  const beginnings = together(words.flatMap(one => one.beginnings))
  const all = together([others, beginnings].filter(part => part !== undefined))
  return all && { all, beginnings, others }
}

/** What the searches of the narrow look for, to compare messages that have it; undefined: nothing with words. */
export const soughtWords = ({ conditions }: Narrow): Fragment | undefined =>
  together(
    conditions.flatMap(one => {
      if (one.kind !== 'search' || one.negated) return []
      return one.isBefore ? [queryBefore(one.query.text)] : queryOf(one.query.groups)
    }),
  )

const together = (words: readonly Fragment[]): Fragment | undefined =>
  words.length > 1 ? q`(${joinFragments(words, ' && ')})` : words[0]

function wordsOf(condition: Condition): { readonly others: Fragment[]; readonly beginnings: Fragment[] } {
  if (condition.kind === 'search') {
    if (condition.isBefore) return { others: [queryBefore(condition.query.text)], beginnings: [] }
    // The index leads to what a message has, never to what it has not.
    const groups = condition.query.groups.filter(terms => terms.every(term => !term.negated))
    const [beginnings, others] = [groups.filter(hasBeginning), groups.filter(terms => !hasBeginning(terms))]
    return { others: queryOf(others), beginnings: queryOf(beginnings) }
  }
  const isIndexed = condition.kind === 'has' && condition.what !== 'reaction'
  return { others: isIndexed ? [q`${`'#${condition.what}'`}::tsquery`] : [], beginnings: [] }
}

function queryOf(groups: SearchQuery['groups']): Fragment[] {
  const words = tsquery(groups)
  return words === undefined ? [] : [q`${words}::tsquery`]
}

/**
 * As a select of `narrowSources`, from the search index. `words`: of `indexedWords`. `offset 0` keeps PostgreSQL from reading all messages in the
 * order of their ids; the filter by channel saves most of the lookups of places.
 */
export const wordSource = (narrow: Narrow, words: Fragment, tail: Fragment): Fragment =>
  q`(select m.id
    from (select * from messages m where m.search @@ ${words} and ${inReadableChannel(narrow)} offset 0) m
      ${placeOfEach(narrow)}
    where ${narrowWhere(narrow)} ${tail})`

const inReadableChannel = ({ scope, receivable }: Narrow): Fragment =>
  scope === null
    ? q`true`
    : q`(m.conversation_id in (select id from convs)
        or m.channel_id = any(${scope === 'received' ? receivable : [...receivable, ...scope]}::int[]))`

/** Ids of all messages that a condition can match, if flags lead to them; undefined: no such condition. */
function markedIds({ userId, conditions }: Narrow): Fragment | undefined {
  for (const one of conditions) {
    if (one.negated) continue
    if (one.kind === 'starred') return withFlag(userId, flagBit.starred)
    if (one.kind === 'alerted') return withFlag(userId, flagBit.has_alert_word)
    if (one.kind === 'mentions') return withFlag(one.userId, flagBit.mentioned)
    if (one.kind === 'mentioned') {
      return q`${withFlag(userId, flagBit.mentioned | flagBit.topic_wildcard_mentioned)}
        union select messages.id from subs join messages using (channel_id) where wildcard_mentions <> 0`
    }
  }
  return undefined
}

const withFlag = (userId: number, bits: number): Fragment =>
  q`select message_id as id from message_flags where user_id = ${userId}::int and flags & ${bits}::int <> 0`

/**
 * The newest or oldest messages of each channel; of a former subscription only the ids during the subscription. `onlyMuted`: of the channels
 * that the user has muted.
 */
function fromChannels(narrow: Narrow, onlyMuted: boolean, tail: Fragment): Fragment {
  const { scope, receivable, conditions } = narrow
  const named = conditions.flatMap(one => (one.kind === 'channels' && !one.negated ? one.channelIds : []))
  const open = scope === 'received' ? [] : (scope ?? named)
  const ids = [...new Set([...(scope === null ? [] : receivable), ...open])]
  return q`select found.id
    from unnest(${ids}::int[], ${ids.map(id => (open.includes(id) ? 1 : 0))}::int[]) as source (channel_id, is_open)
      left join subs s on s.channel_id = source.channel_id
      cross join (select null::int as id) c
      cross join lateral (
        select m.id from messages m
        where m.channel_id = source.channel_id
          and m.id >= case when is_open = 1 then 0 else coalesce(lower(s.spans), 0) end
          and m.id < case when is_open = 1 then 9223372036854775807 else coalesce(upper(s.spans), 9223372036854775807) end
          and ${narrowWhere(narrow)} ${tail}
      ) found
    ${onlyMuted ? q`where ${mutesChannel}` : q``}`
}

const mutesChannel = q`coalesce(s.is_active and s.is_muted, false)`

/** The newest or oldest messages of each topic for which the user has chosen the policy. `condition`: on the subscription `s`. */
function fromTopics(narrow: Narrow, policy: number, condition: Fragment, tail: Fragment): Fragment {
  return q`select found.id
    from user_topics u
      left join subs s on s.channel_id = u.channel_id
      cross join (select null::int as id) c
      cross join lateral (
        select m.id from messages m
        where m.channel_id = u.channel_id and lower(m.topic) = lower(u.topic) and ${narrowWhere(narrow)} ${tail}
      ) found
    where u.user_id = ${narrow.userId}::int and u.visibility_policy = ${policy}::int and ${condition}`
}

function fromConversations(narrow: Narrow, tail: Fragment): Fragment {
  return q`select found.id
    from convs c
      cross join (
        select null::int as channel_id, null::int8multirange as spans, null::boolean as is_active, null::boolean as is_muted
      ) s
      cross join lateral (
        select m.id from messages m where m.conversation_id = c.id and ${narrowWhere(narrow)} ${tail}
      ) found`
}
