import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { currentUser } from '../../lookups/find-user.js'
import { holdSubscribers, isSubscribed, type Subscribers, withJoined } from '../../lookups/hold-subscribers.js'
import type { Directory, WrittenRows } from '../../memory/directory.js'
import { knowsChannel, mayAddSubscribers, maySubscribe } from '../../policies/channel-permissions.js'
import type { ChannelDraft, CreatedChannel } from '../../policies/channel-rules.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { insertSubscriptions, type NewSubscriptions, type SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { cleanName } from '../../text/clean-name.js'
import { announceSubscriptions } from '../announce/subscriptions.js'
import { startingColor } from './colors.js'
import { createChannels, draftChannel, type NewChannelSettings } from './new-channel.js'
import { type Principals, requireFewPairs, resolvePrincipals } from './principals.js'
import { subscriptionNotices, type WantedNotices } from './subscription-notices.js'
import { left, namedIds, type UnsubscribeResult, unsubscribeWithin } from './unsubscribe.js'

export interface WantedChannel {
  /** The stored name, or a variant spelling by the client. */
  readonly name: string
  readonly description: string
  readonly color: string | null
}

export interface SubscribeRequest {
  readonly channels: readonly WantedChannel[]
  readonly principals: Principals
  /** False: the result lists the channels that the caller may not access, instead of an error. */
  readonly authorizationErrorsFatal: boolean
  readonly settings: NewChannelSettings
  /** Absent: the notification bot sends nothing. */
  readonly notices?: WantedNotices
  /** Names of channels that the caller leaves in the same transaction. */
  readonly leave?: readonly string[]
}

export interface SubscribeResult {
  readonly users: readonly UserRow[]
  readonly created: readonly CreatedChannel[]
  readonly added: readonly SubscriptionRow[]
  /** The channels that the caller may subscribe to, new ones included. */
  readonly channels: readonly (ChannelRow | CreatedChannel)[]
  readonly unauthorized: readonly string[]
  /** What `leave` did. */
  readonly left: UnsubscribeResult | null
}

/** Subscribes users to channels and creates the missing channels, all or nothing. */
export async function subscribe(ctx: Ctx, actor: Actor, request: SubscribeRequest): Promise<SubscribeResult> {
  const { directory } = ctx
  const attempt = (mode: 'share' | 'change') =>
    ctx.write(async (tx, emit, { after }) => {
      const held = await holdSubscribers(ctx, tx, mode, () => [
        ...existing(directory, byName(directory, request.channels)).map(channel => channel.id),
        ...namedIds(directory, request.leave ?? []),
      ])
      const wanted = byName(directory, request.channels)
      if (mode === 'share' && missing(directory, wanted).length > 0) throw new ChannelIsMissing()
      const done = await subscribeWithin(tx, emit, ctx, { actor, held, request: { ...request, wanted } })
      if (request.notices) addNotices(after, subscriptionNotices(ctx, actor.user, done, request.notices))
      return done
    })
  await directory.fresh()
  const wanted = byName(directory, request.channels)
  requireFewPairs(wanted.size, request.principals)
  const isComplete = missing(directory, wanted).length === 0
  const result: Result = await attempt(isComplete ? 'share' : 'change').catch(error => {
    if (error instanceof ChannelIsMissing) return attempt('change')
    throw error
  })
  directory.adopt(result.written)
  ctx.memory.subscribers.joined(result.stored)
  return { ...result, left: result.left && left(ctx, result.left) }
}

/** Rolls back a transaction that cannot create channels: one was renamed after the request had found it. */
class ChannelIsMissing extends Error {}

type Result = Omit<SubscribeResult, 'left'> & {
  readonly written: WrittenRows
  readonly stored: NewSubscriptions
  readonly left: Omit<UnsubscribeResult, 'read'> | null
}
type Wanted = ReadonlyMap<string, WantedChannel>

// Names that differ only in case are one channel; the first spelling wins.
function byName(directory: Directory, channels: readonly WantedChannel[]): Wanted {
  const wanted = new Map<string, WantedChannel>()
  for (const channel of channels) {
    const key = (directory.channelNamed(channel.name)?.name ?? cleanName(channel.name)).toLowerCase()
    if (!wanted.has(key)) wanted.set(key, channel)
  }
  return wanted
}

const missing = (directory: Directory, wanted: Wanted): WantedChannel[] =>
  [...wanted].flatMap(([key, channel]) =>
    directory.channelsByName.has(key) ? [] : { ...channel, name: cleanName(channel.name) },
  )

const existing = (directory: Directory, wanted: Wanted): ChannelRow[] =>
  [...wanted.keys()].flatMap(key => directory.channelsByName.get(key) ?? [])

interface Attempt {
  readonly actor: Actor
  readonly held: Subscribers
  readonly request: SubscribeRequest & { readonly wanted: Wanted }
}

async function subscribeWithin(tx: Tx, emit: Emit, ctx: Ctx, { actor, held, request }: Attempt): Promise<Result> {
  const { directory } = ctx
  const { wanted, settings } = request
  const caller = currentUser(directory, actor.user)
  const users = await resolvePrincipals(tx, ctx, caller, request.principals)
  const present = existing(directory, wanted)
  const open = openChannels(directory, caller, present, held)
  const hidden = present.filter(channel => !open.has(channel) && !knowsChannel(directory, caller, channel, false))
  const drafts = draftUnknown(ctx, caller, settings, {
    absent: missing(directory, wanted),
    hidden: hidden.flatMap(channel => wanted.get(channel.name.toLowerCase()) ?? []),
  })
  // Spelled as in the request: the stored spelling must not reach a caller who may not know the channel.
  const unauthorized = present.flatMap(channel => {
    return open.has(channel) ? [] : (wanted.get(channel.name.toLowerCase())?.name ?? [])
  })
  if (unauthorized.length > 0 && request.authorizationErrorsFatal) {
    throw badRequest(`Unable to access channel (${unauthorized.join(', ')}).`)
  }
  if (users.others) {
    const refused =
      [...open].some(([channel, subscribed]) => !mayAddSubscribers(directory, caller, channel, subscribed)) ||
      drafts.some(draft => !mayAddSubscribers(directory, caller, draft, true))
    if (refused) throw badRequest('Insufficient permission')
  }
  const { created, written } =
    drafts.length > 0 ? await createChannels(tx, directory, drafts) : { created: [], written: {} }
  const channels = [...open.keys(), ...created]
  const stored = await addSubscriptions(tx, users.rows, channels, wanted)
  const subscribers = withJoined(held, stored.rows)
  await announceSubscriptions(tx, emit, ctx, { change: { created, channels, stored, subscribers } })
  const left = request.leave
    ? await unsubscribeWithin(tx, emit, ctx, { actor, held: subscribers, names: request.leave, principals: [] })
    : null
  return { users: users.rows, created, written, added: stored.rows, stored, channels, unauthorized, left }
}

/**
 * Drafts of the missing channels. Channels that the caller may not know go through the same checks: otherwise different errors would show
 * callers who may not create channels which names exist.
 */
function draftUnknown(
  ctx: Ctx,
  caller: UserRow,
  settings: NewChannelSettings,
  { absent, hidden }: { absent: readonly WantedChannel[]; hidden: readonly WantedChannel[] },
): ChannelDraft[] {
  const { most } = budgets.newChannelsPerRequest
  if (absent.length + hidden.length > most) throw badRequest(`A request can make at most ${most} channels.`)
  const draft = (channel: WantedChannel) => draftChannel(ctx, caller, channel, settings)
  hidden.forEach(draft)
  return absent.map(draft)
}

/**
 * The channels that the caller may subscribe to, each with whether it is subscribed. They are held: otherwise a user who
 * is being removed from a private channel could rejoin through a subscription that still looks active.
 */
function openChannels(
  directory: Directory,
  caller: UserRow,
  channels: readonly ChannelRow[],
  held: Subscribers,
): Map<ChannelRow, boolean> {
  const all = channels.map(channel => [channel, isSubscribed(held, channel.id, caller.id)] as const)
  return new Map(all.filter(([channel, subscribed]) => maySubscribe(directory, caller, channel, subscribed)))
}

/** The transaction must hold the channels, or have created them. */
export async function addSubscriptions(
  tx: Tx,
  users: readonly UserRow[],
  channels: readonly { readonly id: number; readonly name: string }[],
  wanted: Wanted = new Map(),
): Promise<NewSubscriptions> {
  if (channels.length === 0) return { rows: [], channels: [] }
  return insertSubscriptions(
    tx,
    users.map(user => user.id),
    channels.map(({ id, name }) => ({ id, color: wanted.get(name.toLowerCase())?.color ?? startingColor(id) })),
  )
}
