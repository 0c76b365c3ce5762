import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { findUserByEmail } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { soughtStems, wordStems } from '../../lookups/word-stems.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { mayReadMessage, openChannels, type Reader, readsWholeHistory } from '../../policies/reading.js'
import { realmSetting } from '../../policies/settings.js'
import { dummyEmail } from '../../presenters/addresses.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ISql } from '../../store/driver/db.js'
import { findConversation } from '../../store/messages/conversations.js'
import { firstMessageIdSince } from '../../store/messages/message-ids.js'
import { seenMessages } from '../../store/messages/message-rows.js'
import type { UserRow } from '../../store/users/users.js'
import { cleanName } from '../../text/clean-name.js'
import { parseSearch } from '../../text/search/query.js'
import { NarrowError, type NarrowTerm, type PersonOperand, parseNarrow, requirePossible } from '../grammar/grammar.js'
import { badNarrow } from '../grammar/narrow-param.js'
import type { Condition, Narrow } from '../sql/narrow-sql.js'

interface Call {
  readonly ctx: Ctx
  readonly sql: ISql
  readonly reader: Reader
  /** Users that the reader may see, read only if the narrow names users; null: all. */
  readonly known: ReadonlySet<number> | null
}

const namesPeople: readonly string[] = ['dm', 'dm-including', 'group-pm-with', 'sender', 'mentions']

/** The SQL conditions of a narrow, limited to what the reader may see. @throws {ApiError} BAD_NARROW */
export async function resolveNarrow(ctx: Ctx, sql: ISql, reader: Reader, value: unknown): Promise<Narrow> {
  try {
    const terms = await placeOfWith({ ctx, sql, reader }, parseNarrow(value))
    requireOpenToSpectators(reader, terms)
    requirePossible(terms)
    const asksWho = terms.some(term => namesPeople.includes(term.operator))
    const known = asksWho ? await accessibleUsers(sql, ctx.directory, reader.user) : null
    const call: Call = { ctx, sql, reader, known }
    const resolved = await Promise.all(terms.map(term => resolveTerm(call, term)))
    const conditions = resolved.filter(condition => condition !== null)
    return { userId: reader.userId, receivable: reader.receivable, scope: scopeOf(call, conditions), conditions }
  } catch (error) {
    throw error instanceof NarrowError ? badNarrow(error) : error
  }
}

/**
 * Runs a query for the messages of a narrow. A search runs on separate connections, under a semaphore.
 * @throws {ApiError} SERVER_NOT_READY when too many searches are waiting.
 */
export async function onMessages<T>(ctx: Ctx, { conditions }: Narrow, work: (sql: ISql) => Promise<T>): Promise<T> {
  if (!conditions.some(one => one.kind === 'search')) return await work(ctx.sql)
  return await ctx.workLimits.searches.run(() => work(ctx.searching))
}

/** The narrow with a further condition on message ids, over all messages that the reader may see. */
export function withIds(ctx: Ctx, reader: Reader, narrow: Narrow, ids: readonly number[]): Narrow {
  const scope = narrow.scope === 'received' ? openChannels(ctx.directory, reader) : narrow.scope
  return { ...narrow, scope, conditions: [...narrow.conditions, { kind: 'ids', ids, negated: false }] }
}

// Operators for spectators: none that refers to an account of the caller.
const forSpectators: readonly string[] = [
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
  'before',
  'after',
]

function requireOpenToSpectators(reader: Reader, terms: readonly NarrowTerm[]): void {
  if (reader.user) return
  const isOpen = terms.some(one => one.operator === 'channels' && one.operand === 'web-public' && !one.negated)
  if (!isOpen || !terms.every(one => forSpectators.includes(one.operator))) {
    throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
  }
}

/** Replaces `with`, and terms about the conversation, by the conversation that now contains the message of `with`. */
async function placeOfWith(call: Omit<Call, 'known'>, terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  const target = terms.find(term => term.operator === 'with')
  if (!target) return terms
  const others = terms.filter(term => term !== target)
  const elsewhere = others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator))
  const [message] = await seenMessages(call.sql, call.reader.userId, [target.operand])
  if (!message || !mayReadMessage(call.ctx.directory, call.reader.user, message)) {
    // The other terms decide, if they name a place.
    if (elsewhere.length === others.length) throw new NarrowError("invalid 'with' operator")
    return others
  }
  const place: NarrowTerm[] =
    message.channel_id === null
      ? [{ operator: 'dm', operand: message.user_ids ?? [], negated: false }]
      : [
          { operator: 'channel', operand: message.channel_id, negated: false },
          { operator: 'topic', operand: message.topic, negated: false },
        ]
  return [...elsewhere, ...place]
}

async function searchFor(ctx: Ctx, text: string, negated: boolean): Promise<Condition> {
  const stems = await soughtStems(ctx)
  const search = { kind: 'search', query: parseSearch(text, stems ?? wordStems(ctx)), negated } as const
  return stems ? search : { ...search, isBefore: true }
}

async function resolveTerm(call: Call, term: NarrowTerm): Promise<Condition | null> {
  const { negated } = term
  switch (term.operator) {
    case 'channel':
      return { kind: 'channels', channelIds: [channelOf(call, term.operand).id], isNamed: true, negated }
    case 'channels':
      return { kind: 'channels', channelIds: channelsOf(call, term.operand), negated }
    case 'topic':
      return { kind: 'topic', ...topicOf(call, term.operand), negated }
    case 'dm':
      return { kind: 'conversation', id: await conversationOf(call, term.operand), negated }
    case 'dm-including':
      return { kind: 'conversationsOf', userIds: withReader(call, term.operand), groupsOnly: false, negated }
    case 'group-pm-with':
      return { kind: 'conversationsOf', userIds: withReader(call, term.operand), groupsOnly: true, negated }
    case 'sender':
      return { kind: 'sender', userId: personOf(call, term.operand), negated }
    case 'mentions':
      return { kind: 'mentions', userId: personOf(call, term.operand), negated }
    case 'is':
      return { kind: isKinds[term.operand], negated }
    case 'has':
      return { kind: 'has', what: term.operand, negated }
    case 'in':
      // `all` adds no condition; its negation matches nothing.
      if (term.operand === 'all') return negated ? { kind: 'nothing', negated: false } : null
      return { kind: 'muted', negated: !negated }
    case 'id':
      return { kind: 'id', id: term.operand, negated }
    case 'before':
      return { kind: 'since', id: await firstMessageIdSince(call.sql, term.operand), negated: !negated }
    case 'after':
      return { kind: 'since', id: await firstMessageIdSince(call.sql, term.operand), negated }
    case 'search':
      return searchFor(call.ctx, term.operand, negated)
    case 'near':
    case 'with':
      return null
  }
}

const isKinds = {
  dm: 'direct',
  starred: 'starred',
  mentioned: 'mentioned',
  alerted: 'alerted',
  unread: 'unread',
  resolved: 'resolved',
  muted: 'muted',
  followed: 'followed',
} as const

function channelOf({ ctx, reader }: Call, operand: string | number): ChannelRow {
  const { directory } = ctx
  const named = typeof operand === 'string' ? directory.channelNamed(operand) : undefined
  const id = Number(operand)
  const channel = named ?? (Number.isSafeInteger(id) ? directory.channels.get(id) : undefined)
  // The same error as for a missing channel, so the reader does not learn that the channel exists.
  if (!channel || !knowsChannel(directory, reader.user, channel, reader.subscribed.has(channel.id))) {
    throw new NarrowError(`unknown channel ${operand}`)
  }
  return channel
}

/** Limited to channels that the reader may read: messages of the others are no results in any case. */
function channelsOf({ ctx, reader }: Call, operand: 'public' | 'web-public' | 'archived'): number[] {
  const { directory } = ctx
  const isIt = (channel: ChannelRow): boolean => {
    if (operand === 'archived') return channel.is_archived
    return operand === 'web-public' ? channel.is_web_public : !channel.invite_only
  }
  const open = [...directory.channels.values()].filter(channel => isIt(channel))
  if (operand === 'archived') return open.map(channel => channel.id)
  return open.filter(channel => readsWholeHistory(directory, reader, channel)).map(channel => channel.id)
}

function topicOf({ ctx }: Call, operand: string): { topic: string; older?: string } {
  if (operand === realmSetting(ctx.directory, 'empty_topic_display_name')) return { topic: '' }
  const older = operand.trim()
  const topic = cleanName(older)
  return topic === older ? { topic } : { topic, older }
}

function personOf(call: Call, operand: PersonOperand): number {
  const { ctx, reader } = call
  if (operand === 'me') return reader.userId
  const user = typeof operand === 'number' ? ctx.directory.users.get(operand) : personByEmail(call, operand)
  if (!user) throw new NarrowError(`unknown user ${operand}`)
  return user.id
}

/** A guest names a user that it may not see by id, or by the dummy address that messages show. */
function personByEmail({ ctx, reader, known }: Call, email: string): UserRow | undefined {
  const user = findUserByEmail(ctx.directory, reader.user, email, ctx.realmHost)
  if (!user || !known || known.has(user.id)) return user
  return email.toLowerCase() === dummyEmail(user.id, ctx.realmHost).toLowerCase() ? user : undefined
}

function withReader(call: Call, operand: readonly PersonOperand[]): number[] {
  if (operand.length === 0) throw new NarrowError('no user named')
  const ids = new Set([...operand.map(one => personOf(call, one)), call.reader.userId])
  return [...ids].sort((a, b) => a - b)
}

async function conversationOf(call: Call, operand: readonly PersonOperand[]): Promise<number | null> {
  return (await findConversation(call.sql, withReader(call, operand))) ?? null
}

// Conditions on the reader's own received messages.
const aboutReceived: readonly Condition['kind'][] = ['mentioned', 'alerted', 'unread', 'direct']

/**
 * Messages from before the reader's subscription are found only if the narrow names the channels. Some `is:` conditions concern received
 * messages only; `is:starred` does not, because a user may star a message that it did not receive.
 */
function scopeOf(call: Call, conditions: readonly Condition[]): Narrow['scope'] {
  const { directory } = call.ctx
  if (conditions.some(one => !one.negated && aboutReceived.includes(one.kind))) return 'received'
  const named = conditions.flatMap(one => (one.kind === 'channels' && !one.negated ? [one.channelIds] : []))
  const isOpen = (id: number): boolean => {
    const channel = directory.channels.get(id)
    return channel !== undefined && readsWholeHistory(directory, call.reader, channel)
  }
  if (named.some(ids => ids.every(isOpen))) return null
  if (!call.reader.user) return []
  if (named.length > 0 || conditions.some(one => one.kind === 'starred' && !one.negated)) {
    return openChannels(directory, call.reader)
  }
  return conditions.some(one => one.kind === 'id' && !one.negated) ? openChannels(directory, call.reader) : 'received'
}
