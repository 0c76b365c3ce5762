import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../access/actor.js'
import type { ChannelDraft } from '../../access/channel-rules.js'
import { knowsChannel, mayAddSubscribers, maySubscribe } from '../../access/channels.js'
import { currentUser } from '../../access/users.js'
import { budgets } from '../../budgets.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import { bumpSubscribersVersions, type ChannelRow, lockChannels } from '../../store/channels.js'
import type { Tx } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { insertSubscriptions, type SubscriptionRow, subscribedAmong } from '../../store/subscriptions.js'
import type { UserRow } from '../../store/users.js'
import { cleanName } from '../../text/clean-name.js'
import { announceSubscriptions } from './announce-subscriptions.js'
import { startingColor } from './colors.js'
import { type CreatedChannel, createChannels, draftChannel, type NewChannelSettings } from './new-channel.js'
import { type Principals, requireFewPairs, resolvePrincipals } from './principals.js'

export interface WantedChannel {
  /** As it is stored, or as a client may spell it. */
  readonly name: string
  readonly description: string
  readonly color: string | null
}

export interface SubscribeRequest {
  readonly channels: readonly WantedChannel[]
  readonly principals: Principals
  /** False: channels that the caller may not access are named in the result. */
  readonly authorizationErrorsFatal: boolean
  readonly settings: NewChannelSettings
}

export interface SubscribeResult {
  readonly users: readonly UserRow[]
  readonly created: readonly CreatedChannel[]
  readonly added: readonly SubscriptionRow[]
  /** Those of the request that were open to the caller, new ones too. */
  readonly channels: readonly (ChannelRow | CreatedChannel)[]
  readonly unauthorized: readonly string[]
}

/** Subscribes users to channels and makes those that are missing, all or nothing. */
export async function subscribe(ctx: Ctx, actor: Actor, request: SubscribeRequest): Promise<SubscribeResult> {
  const { directory } = ctx
  const attempt = (mode: 'share' | 'change') =>
    ctx.write(async (tx, emit) => {
      await directory.hold(tx, mode)
      const wanted = byName(directory, request.channels)
      if (mode === 'share' && missing(directory, wanted).length > 0) return undefined
      return subscribeWithin(tx, emit, ctx, actor, { ...request, wanted })
    })
  await directory.fresh()
  const wanted = byName(directory, request.channels)
  requireFewPairs(wanted.size, request.principals)
  const result = missing(directory, wanted).length === 0 ? await attempt('share') : undefined
  return (result ?? (await attempt('change'))) as SubscribeResult
}

type Wanted = ReadonlyMap<string, WantedChannel>

// Names that differ in case only are one channel; the first spelling wins.
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

async function subscribeWithin(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  actor: Actor,
  request: SubscribeRequest & { wanted: Wanted },
): Promise<SubscribeResult> {
  const { directory } = ctx
  const { wanted, settings } = request
  const caller = currentUser(directory, actor.user)
  const users = await resolvePrincipals(tx, ctx, caller, request.principals)
  const existing = [...wanted.keys()].flatMap(key => directory.channelsByName.get(key) ?? [])
  const open = await openChannels(tx, directory, caller, existing)
  const hidden = existing.filter(channel => !open.has(channel) && !knowsChannel(directory, caller, channel, false))
  const drafts = draftUnknown(directory, caller, settings, {
    absent: missing(directory, wanted),
    hidden: hidden.flatMap(channel => wanted.get(channel.name.toLowerCase()) ?? []),
  })
  // As the caller wrote it: how a channel spells its name is not for those to know who may not know the channel.
  const unauthorized = existing.flatMap(channel => {
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
  const created = drafts.length > 0 ? await createChannels(tx, directory, drafts) : []
  const channels = [...open.keys(), ...created]
  const added = await addSubscriptions(tx, users.rows, channels, wanted)
  await announceSubscriptions(tx, emit, ctx, { created, channels, added })
  return { users: users.rows, created, added, channels, unauthorized }
}

/**
 * Drafts of the channels that are absent. Those that are hidden from the caller are held to the same rules: who may not make
 * channels must not learn from another refusal which names are in use.
 */
function draftUnknown(
  directory: Directory,
  caller: UserRow,
  settings: NewChannelSettings,
  { absent, hidden }: { absent: readonly WantedChannel[]; hidden: readonly WantedChannel[] },
): ChannelDraft[] {
  const { most } = budgets.newChannelsPerRequest
  if (absent.length + hidden.length > most) throw badRequest(`A request can make at most ${most} channels.`)
  const draft = (channel: WantedChannel) => draftChannel(directory, caller, channel, settings)
  hidden.forEach(draft)
  return absent.map(draft)
}

/**
 * Those that the caller may subscribe to, each with whether it is subscribed already. Who is subscribed to them stays as it
 * is from here on: somebody who is being removed from a private channel must not come back because it was still in it.
 */
async function openChannels(
  tx: Tx,
  directory: Directory,
  caller: UserRow,
  channels: readonly ChannelRow[],
): Promise<Map<ChannelRow, boolean>> {
  const ids = channels.map(channel => channel.id)
  if (ids.length > 0) await lockChannels(tx, ids)
  const rows = ids.length > 0 ? await subscribedAmong(tx, [caller.id], ids) : []
  const subscribed = new Set(rows.map(row => row.channel_id))
  return new Map(
    channels
      .filter(channel => maySubscribe(directory, caller, channel, subscribed.has(channel.id)))
      .map(channel => [channel, subscribed.has(channel.id)]),
  )
}

/** The transaction holds the channels, or has made them. */
export async function addSubscriptions(
  tx: Tx,
  users: readonly UserRow[],
  channels: readonly { readonly id: number; readonly name: string }[],
  wanted: Wanted = new Map(),
): Promise<SubscriptionRow[]> {
  if (channels.length === 0) return []
  const added = await insertSubscriptions(
    tx,
    users.map(user => user.id),
    channels.map(({ id, name }) => ({ id, color: wanted.get(name.toLowerCase())?.color ?? startingColor(id) })),
  )
  const changed = [...new Set(added.map(row => row.channel_id))]
  if (changed.length > 0) await bumpSubscribersVersions(tx, changed)
  return added
}
