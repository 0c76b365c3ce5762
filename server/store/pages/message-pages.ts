import { limits } from '../../../shared/limits.js'
import {
  has,
  type IndexedWords,
  indexedWords,
  narrowSources,
  startsFromOwn,
  wordSource,
} from '../../narrow/sql/narrow-sources.js'
import { type Condition, type Narrow, narrowHead, narrowSql, plainNarrowSql } from '../../narrow/sql/narrow-sql.js'
import type { ISql } from '../driver/db.js'
import { Fragment, q, run, unionAll } from '../driver/fragment.js'
import { firstMessageIdSince } from '../messages/message-ids.js'
import { blocksSql, estimateSearch, mostNear, type SearchEstimate } from './message-search.js'
import { type Extent, firstOf, isShort, mostParts, type Stretch, unreadGaps, within } from './stretches.js'

// How many ids (at least; and 20 per wanted message) the first query scans in id order before each channel and conversation is
// queried separately: a user who receives many messages finds a page in this range, and usually also the first unread one.
const idsInOrder = 10_000
// So few that another statement costs more.
const fewIds = 1_000
// How many ids a scan visits for a search that found some, but too few: as many messages of each channel take longer.
const mostIdsOfSearch = 300_000
// The same for a sender, whose messages have an index of their own, so that the range holds few of them.
const idsOfSender = 1_000_000
// The same for direct messages, of which a user receives few, and which lie in few conversations.
const idsOfDirect = 1_000
// How many messages with the words of a search are read at once: the pages of most users have room for fewer.
const fewMatches = 1_000
// More messages with a beginning take the index longer than a scan in the order of ids, which finds such ones soon.
const mostBeginnings = 30_000
// In how many ids they may lie: in more of them the search index takes longer than the messages, so fewer matches are read.
const idsOfFewBlocks = 32_768

/**
 * Ids of the narrow's messages in all stretches together, ascending. There are three ways to find them, and each is the only good one for some
 * narrows. PostgreSQL's CPU for a page of 100 among 200,000 messages, in ms: without the scan in the order of ids, all messages take 1.2 instead
 * of 0.7, unread ones 2.9 instead of 0.8, those of a busy sender 46 instead of 2; without the search index, a word of no message takes 67
 * instead of 0.7. What these two do not find is in few channels and conversations (`bySource`). Tests give `inOrderFirst` and `few` other values, `null` for no use of the
 * search index: the ids are the same.
 */
export async function messageIds(
  sql: ISql,
  narrow: Narrow,
  stretches: readonly Stretch[],
  {
    inOrderFirst = idsInOrder,
    few = fewMatches,
  }: { readonly inOrderFirst?: number; readonly few?: number | null } = {},
): Promise<number[]> {
  const wanted = inTime(narrow, stretches).filter(stretch => stretch.limit > 0)
  if (!has(narrow, 'unread') || startsFromOwn(narrow) || isAtOnePlace(narrow))
    return idsIn(sql, narrow, wanted, { inOrderFirst, few })
  const gaps = await unreadGaps(sql, narrow.userId)
  const ids = await idsIn(
    sql,
    narrow,
    wanted.flatMap(stretch => within(stretch, gaps)),
    { inOrderFirst, few },
  )
  return ascending(wanted.flatMap(stretch => firstOf(stretch, ids)))
}

/** The stretches without the ids that are before or after the time of the narrow, so that no statement scans these. */
function inTime({ conditions }: Narrow, stretches: readonly Stretch[]): readonly Stretch[] {
  const times = conditions.filter(one => one.kind === 'since')
  if (times.length === 0) return stretches
  const first = Math.max(0, ...times.flatMap(({ id, negated }) => (negated ? [] : [id])))
  const last = Math.min(...times.flatMap(({ id, negated }) => (negated ? [id - 1] : [])))
  return stretches
    .map(stretch => ({
      ...stretch,
      from: Math.max(stretch.from ?? 0, first),
      to: Math.min(stretch.to ?? Number.POSITIVE_INFINITY, last),
    }))
    .filter(({ from, to }) => from <= to)
    .map(stretch => ({ ...stretch, to: Number.isFinite(stretch.to) ? stretch.to : undefined }))
}

async function idsIn(
  sql: ISql,
  narrow: Narrow,
  wanted: readonly Stretch[],
  { inOrderFirst, few }: { readonly inOrderFirst: number; readonly few: number | null },
): Promise<number[]> {
  if (wanted.length === 0) return []
  if (startsFromOwn(narrow)) return distinct(await bySource(sql, narrow, wanted))
  const words = few === null || isAtOnePlace(narrow) ? undefined : indexedWords(narrow)
  const byIndex = async (some: readonly Stretch[]) =>
    words && byWords(sql, narrow, words, { stretches: some, few: few ?? 0 })
  // The messages of a sender are in an index of their own, and only a part of them is of interest.
  const isOfSender = has(narrow, 'sender')
  const indexed = isOfSender ? undefined : await byIndex(wanted)
  if (indexed) return distinct(indexed)
  const first = inOrderFirst > 0 ? firstIds(narrow, inOrderFirst) : 0
  const near = isAtOnePlace(narrow)
    ? null
    : ({ limit }: Stretch) => (first > 0 ? Math.min(Math.max(first, 20 * limit), mostInPlaces(narrow, limit)) : 0)
  const found = await inOrder(sql, narrow, wanted, near)
  let short = near ? shortAfter(wanted, found, near) : []
  const further = Math.max(...short.map(({ needs }) => needs))
  if (short.length > 0 && has(narrow, 'search') && further <= mostIdsOfSearch) {
    const stretches = short.map(one => one.stretch)
    const more = await inOrder(sql, narrow, stretches, () => further)
    found.push(...more)
    short = shortAfter(stretches, more, () => further)
  }
  if (short.length === 0) return distinct(found)
  const rest = short.map(one => one.stretch)
  const others = (isOfSender ? await byIndex(rest) : undefined) ?? (await bySource(sql, narrow, rest))
  return distinct([...found, ...others])
}

/**
 * The stretches for which a scan of `near` ids has found too few messages, although there are more ids. `needs`: how many ids by its yield hold
 * enough of them.
 */
const shortAfter = (wanted: readonly Stretch[], found: readonly Found[], near: (stretch: Stretch) => number) =>
  wanted.flatMap((stretch, i) => {
    const own = found.filter(row => row.stretch === i)
    if (!isShort(stretch, near(stretch), own[0], own.length)) return []
    return [{ stretch, needs: Math.ceil((near(stretch) * 1.5 * stretch.limit) / own.length) }]
  })

const distinct = (rows: readonly { id: number }[]): number[] => ascending(rows.map(row => row.id))

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/**
 * How many messages at most the search in each channel visits (at least `fewIds`); with conditions, it may visit all. In the stretches of unread
 * messages nearly all are unread, and most are in no muted channel.
 */
function mostInPlaces({ receivable, scope, conditions }: Narrow, limit: number): number {
  if (!conditions.every(isOfUnread)) return Number.POSITIVE_INFINITY
  const open = Array.isArray(scope) ? scope.length : 0
  return Math.max((receivable.length + open) * limit, fewIds)
}

function firstIds(narrow: Narrow, usual: number): number {
  if (has(narrow, 'sender')) return idsOfSender
  return has(narrow, 'direct') || has(narrow, 'conversationsOf') ? idsOfDirect : usual
}

/** Whether an index contains the narrow's messages in the order of their ids. */
const isAtOnePlace = ({ conditions }: Narrow): boolean =>
  conditions.some(
    one =>
      !one.negated &&
      (['conversation', 'id', 'ids'].includes(one.kind) || (one.kind === 'channels' && one.channelIds.length === 1)),
  )

/** A channel, a topic or a conversation without further conditions, as in most pages. */
const isOnePlace = ({ conditions }: Narrow): boolean =>
  conditions.length > 0 &&
  conditions.length <= 2 &&
  conditions.every(one => !one.negated && ['channels', 'topic', 'conversation'].includes(one.kind))

/** Whether most pages are of this kind, so that the few different statements are kept prepared. */
const isUsual = (narrow: Narrow): boolean => narrow.conditions.every(isOfUnread) || isOnePlace(narrow)

const isOfUnread = ({ kind, negated }: Condition): boolean =>
  (kind === 'unread' && !negated) || ((kind === 'muted' || kind === 'topicMuted') && negated)

/**
 * The messages in all stretches as `pageState` takes them, for a channel, a topic or a conversation whose whole history is open to the
 * reader; undefined for other narrows, and for stretches without messages.
 */
export function pageSource(narrow: Narrow, stretches: readonly Stretch[]): Fragment | undefined {
  const wanted = stretches.filter(stretch => stretch.limit > 0)
  if (!isOnePlace(narrow) || !isAtOnePlace(narrow) || narrow.scope !== null || wanted.length === 0) return undefined
  const { body } = plainNarrowSql(narrow)
  const selects = wanted.map(stretch => {
    const order = new Fragment([`order by m.id ${stretch.newestFirst ? 'desc' : ''} limit ${atMost(stretch)}`], [])
    return q`(select * from (select m.id, m.channel_id, m.xmin as version ${body} ${bounds(stretch)} ${order}) near
      limit ${stretch.limit}::bigint)`
  })
  return unionAll(selects)
}

// PostgreSQL plans a statement with a limit that it knows once, and one with a limit in a parameter each time.
const plannedLimits: ReadonlySet<number> = new Set([1, 20, 50, 100, 200, 1000])

const atMost = ({ limit }: Stretch): number => [...plannedLimits].find(one => one >= limit) ?? limits.messages_per_fetch

/** With the extent of the organization's messages; without `near` 0. */
interface Found extends Extent {
  readonly stretch: number
  readonly id: number
}

const oldestId = q`(select min(id) from messages)`
const newestId = q`(select max(id) from messages)`

/** Scans the messages in the order of their ids; with `near`, at most that many ids. */
async function inOrder(
  sql: ISql,
  narrow: Narrow,
  stretches: readonly Stretch[],
  near: ((stretch: Stretch) => number) | null,
): Promise<Found[]> {
  const isPlain = isOnePlace(narrow)
  const { head, body } = isPlain && narrow.scope === null ? plainNarrowSql(narrow) : narrowSql(narrow)
  const [oldest, newest] = near ? [oldestId, newestId] : [q`0`, q`0`]
  const selects = stretches.map((stretch, i) => {
    const { from, to, newestFirst } = stretch
    const end = newestFirst
      ? q`and m.id > least(${to ?? null}::bigint, ${newest}) - ${near?.(stretch) ?? 0}::bigint`
      : q`and m.id < greatest(${from ?? 0}::bigint, ${oldest}) + ${near?.(stretch) ?? 0}::bigint`
    return q`(select ${i}::int as stretch, m.id, ${oldest} as oldest, ${newest} as newest
      ${body} ${bounds(stretch)} ${near ? end : q``} ${order(stretch)})`
  })
  return run<Found>(sql, q`${head} ${unionAll(selects)}`, isUsual(narrow))
}

/**
 * The search index leads to all messages with words that few messages have, and of frequent words to those whose ids are nearest. If
 * these do not suffice, it is asked for as many more as the yield suggests, unless the search in each channel, or in all
 * messages with the words, visits fewer. Undefined: the index knows none of the words.
 */
async function byWords(
  sql: ISql,
  narrow: Narrow,
  indexed: IndexedWords,
  { stretches, few }: { readonly stretches: readonly Stretch[]; readonly few: number },
): Promise<{ id: number }[] | undefined> {
  const asked = await whatToAsk(sql, indexed)
  if (!asked) return undefined
  const { words, estimate } = asked
  const { matches, oldest, newest } = estimate
  const ids = newest - oldest + 1
  const most = Math.max(...stretches.map(({ limit }) => limit))
  // How many messages the search in each channel visits; for attachments there is an index by channel.
  const inChannels = narrow.receivable.length * most * (has(narrow, 'search') ? ids / matches : 1)
  const all: { id: number }[] = []
  let short = stretches
  const idsWith = (some: number) => Math.ceil((some * ids) / matches)
  let near = Math.min(idsWith(few), Math.max(idsWith(0.4 * few), idsOfFewBlocks))
  while (near <= mostNear && (near * matches) / ids <= Math.min(inChannels, matches)) {
    const found = await nearWords(sql, narrow, words, { stretches: short, near, extent: estimate })
    all.push(...found)
    const counts = short.map((_, i) => found.filter(row => row.stretch === i).length)
    short = short.filter((stretch, i) => isShort(stretch, near, estimate, counts[i] as number))
    if (short.length === 0) return all
    near = Math.ceil((near * 1.5 * most) / Math.min(...counts))
  }
  const isInPlaces = matches > Math.max(few, inChannels)
  const selects = short.map(stretch => {
    const tail = q`${bounds(stretch)} ${order(stretch)}`
    const sources = isInPlaces ? narrowSources(narrow, tail) : [wordSource(narrow, words, tail)]
    return q`(select m.id from (${unionAll(sources)}) m ${order(stretch)})`
  })
  const rest = await run<{ id: number }>(sql, q`${narrowHead(narrow)} ${unionAll(selects)}`)
  return [...all, ...rest]
}

/**
 * The words to ask the index for, with their estimate. Without beginnings that many messages have: the others suffice, and the rest is compared.
 * Undefined: no words are left, or the index knows none of them.
 */
async function whatToAsk(
  sql: ISql,
  { all, beginnings, others }: IndexedWords,
): Promise<{ readonly words: Fragment; readonly estimate: SearchEstimate } | undefined> {
  const [estimate, begun] = await Promise.all([
    estimateSearch(sql, all),
    beginnings && others && estimateSearch(sql, beginnings),
  ])
  if (!estimate) return undefined
  const isFrequent = beginnings !== undefined && (begun ?? estimate).matches > mostBeginnings
  if (!isFrequent) return { words: all, estimate }
  const rest = others && (await estimateSearch(sql, others))
  return rest && others ? { words: others, estimate: rest } : undefined
}

/** The messages with the words among the `near` ids of each stretch that come first in its order. */
async function nearWords(
  sql: ISql,
  narrow: Narrow,
  words: Fragment,
  {
    stretches,
    near,
    extent: { oldest, newest },
  }: { readonly stretches: readonly Stretch[]; readonly near: number; readonly extent: Extent },
): Promise<{ stretch: number; id: number }[]> {
  const selects = stretches.map((stretch, i) => {
    const { from = 0, to = newest, newestFirst } = stretch
    const first = newestFirst ? Math.min(to, newest) - near + 1 : Math.max(from, oldest)
    const last = first + near - 1
    const range = { ...stretch, from: Math.max(from, first), to: Math.min(to, last) }
    const inBlocks = q`(${words} && ${blocksSql(range.from, Math.min(range.to, newest))})`
    const source = wordSource(narrow, inBlocks, q`${bounds(range)} ${order(stretch)}`)
    return q`(select ${i}::int as stretch, m.id from ${source} m)`
  })
  return run<{ stretch: number; id: number }>(sql, q`${narrowHead(narrow)} ${unionAll(selects)}`)
}

/**
 * For narrows with few messages: queries each channel and conversation separately, or starts from an index of flags or words, and
 * so reads no message that other users received.
 */
async function bySource(
  sql: ISql,
  narrow: Narrow,
  stretches: readonly Stretch[],
  prepare = isUsual(narrow),
): Promise<{ id: number }[]> {
  const selects = stretches.map(stretch => {
    const parts = narrowSources(narrow, q`${bounds(stretch)} ${order(stretch)}`)
    return q`(select m.id from (${unionAll(parts)}) m ${order(stretch)})`
  })
  return run<{ id: number }>(sql, q`${narrowHead(narrow)} ${unionAll(selects)}`, prepare)
}

function bounds({ from, to }: Stretch): Fragment {
  const above = from === undefined ? q`` : q`and m.id >= ${from}::bigint`
  return to === undefined ? above : q`${above} and m.id <= ${to}::bigint`
}

function order({ limit, newestFirst }: Stretch): Fragment {
  const atMost = plannedLimits.has(limit) ? new Fragment([`limit ${limit}`], []) : q`limit ${limit}::bigint`
  return newestFirst ? q`order by m.id desc ${atMost}` : q`order by m.id ${atMost}`
}

/** The narrow's first message at or after a time. */
export async function firstSince(sql: ISql, narrow: Narrow, time: Date): Promise<number | undefined> {
  const from = await firstMessageIdSince(sql, time)
  const [id] = await messageIds(sql, narrow, [{ from, limit: 1, newestFirst: false }])
  return id
}

/** The oldest unread message of the narrow that is in no muted channel. */
export async function firstUnread(sql: ISql, narrow: Narrow): Promise<number | undefined> {
  const unread: Narrow = {
    ...narrow,
    conditions: [...narrow.conditions, { kind: 'unread', negated: false }, ...notMuted(narrow)],
  }
  // Only received messages can be unread, also if the narrow includes others.
  const received: Narrow = { ...unread, scope: narrow.scope === null ? null : 'received' }
  const oldest: Stretch = { limit: 1, newestFirst: false }
  // These have few messages, or all in one index, and the search begins at the first gap.
  if (isAtOnePlace(narrow) || has(narrow, 'direct') || has(narrow, 'conversationsOf')) {
    const [first] = await bySource(sql, received, [oldest], isUsual(narrow))
    return first?.id
  }
  const parts = within(oldest, await unreadGaps(sql, narrow.userId))
  // The last part may contain many read messages.
  const near = parts.length < mostParts ? parts : parts.slice(0, -1)
  for (const some of [near, parts.slice(near.length)]) {
    const [first] = await idsIn(sql, received, some, { inOrderFirst: idsInOrder, few: fewMatches })
    if (first !== undefined) return first
  }
  return undefined
}

/** A reader who names a topic looks for its messages even if it is muted; one who names a channel, even if the channel is muted. */
function notMuted({ conditions }: Narrow): Condition[] {
  if (conditions.some(({ kind, negated }) => kind === 'topic' && !negated)) return []
  const namesChannel = conditions.some(one => one.kind === 'channels' && one.isNamed && !one.negated)
  return [{ kind: namesChannel ? 'topicMuted' : 'muted', negated: true }]
}
