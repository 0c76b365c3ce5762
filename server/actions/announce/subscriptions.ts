import { defaultStreams } from '../../../shared/events/default-streams.js'
import { streamCreate } from '../../../shared/events/stream.js'
import { subscriptionPeerAdd } from '../../../shared/events/subscription.js'
import type { ChannelObject } from '../../../shared/resources/channel.js'
import type { Ctx } from '../../ctx.js'
import { listsOf } from '../../lookups/subscriber-lists.js'
import type { Directory } from '../../memory/directory.js'
import { Audiences } from '../../policies/channel-audience.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import type { CreatedChannel } from '../../policies/channel-rules.js'
import { audienceOfDefaultChannels, defaultChannels } from '../../policies/default-channels.js'
import { channelObject } from '../../presenters/channel-object.js'
import type { Emit } from '../../realtime/emission.js'
import { newChannelFacts, uncountedFacts } from '../../store/channels/channel-facts.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { NewSubscriptions, SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'
import { notifyOfNewAcquaintances } from './acquaintances.js'
import { notifyOfMutedTopics } from './muted-topics.js'
import { notifySubscribers, type Shown } from './subscribers.js'

type AnyChannel = ChannelRow | CreatedChannel

interface Change {
  readonly created: readonly CreatedChannel[]
  readonly channels: readonly AnyChannel[]
  readonly stored: NewSubscriptions
  /** The subscribers after the change, by channel id. */
  readonly subscribers: ReadonlyMap<number, readonly number[]>
}

/** The state of the affected channels after the change. */
interface Picture extends Shown {
  readonly channels: ReadonlyMap<number, AnyChannel>
  readonly subscribers: ReadonlyMap<number, readonly number[]>
  /** New subscribers by channel id, ascending. */
  readonly newcomers: ReadonlyMap<number, readonly number[]>
  readonly audiences: Audiences
}

/**
 * Emits the events of new channels and subscriptions, in the order that clients rely on (docs/protocol/events.md#subscribing).
 * `directory`: the preview, if the transaction creates the subscribers, too.
 */
export async function announceSubscriptions(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  { change, directory = ctx.directory }: { readonly change: Change; readonly directory?: Directory },
): Promise<void> {
  const added = change.stored.rows
  if (change.created.length === 0 && added.length === 0) return
  const picture = await takePicture(tx, ctx, change, directory)
  const shown = notifyOfNewChannels(emit, picture, change)
  notifySubscribers(emit, picture, added)
  await notifyOfNewAcquaintances(tx, emit, ctx, { added, directory })
  await notifyOfMutedTopics(tx, emit, directory, shown)
  notifyPeers(emit, picture)
  notifyDefaults(emit, directory, change)
}

async function takePicture(
  tx: Tx,
  ctx: Ctx,
  { created, channels, stored, subscribers: all }: Change,
  directory: Directory,
): Promise<Picture> {
  const ids = [...new Set([...created, ...stored.channels].map(channel => channel.id))]
  const subscribers = new Map(ids.map(id => [id, all.get(id) ?? []]))
  const uncounted = await uncountedFacts(tx, stored.channels, ctx.memory.activeChannels)
  const facts = new Map(
    uncounted.map(({ id, subscribers_version: _, ...rest }) => [
      id,
      { ...rest, subscriber_count: subscribers.get(id)?.length ?? 0 },
    ]),
  )
  const newcomers = new Map(
    gather(stored.rows, row => row.channel_id).map(([id, rows]) => [
      id,
      rows.map(row => row.user_id).sort((a, b) => a - b),
    ]),
  )
  const byId = new Map(channels.map(channel => [channel.id, channel]))
  const objects = new Map(
    ids.map(id => [id, channelObject(directory, byId.get(id) as AnyChannel, facts.get(id) ?? newChannelFacts)]),
  )
  const audiences = new Audiences(directory)
  const lists = await listsOf(ctx, tx, subscribers)
  return { directory, channels: byId, objects, subscribers, newcomers, audiences, lists }
}

/**
 * Emits stream/create: for a new channel before its subscriptions, for an existing channel to users who come to know it by subscribing.
 * Returns the subscriptions of these users.
 */
function notifyOfNewChannels(emit: Emit, picture: Picture, { created, stored }: Change): SubscriptionRow[] {
  const { directory, channels, objects, subscribers, audiences } = picture
  // The count of subscribers follows from the events of subscriptions.
  const unsubscribed = (id: number) => ({ ...(objects.get(id) as ChannelObject), subscriber_count: 0 })
  const newChannels = created.map(channel => ({
    channel,
    audience: audiences.of(channel, subscribers.get(channel.id) ?? []),
  }))
  for (const [, group] of gather(newChannels, ({ audience }) => audience)) {
    const [first] = group
    if (!first) continue
    const streams = group.map(({ channel }) => unsubscribed(channel.id))
    emit(streamCreate, { streams }, first.audience)
  }
  const isNew = new Set(created.map(channel => channel.id))
  const shown = stored.rows.filter(({ user_id, channel_id }) => {
    const user = directory.users.get(user_id) as UserRow
    return !isNew.has(channel_id) && !knowsChannel(directory, user, channels.get(channel_id) as AnyChannel, false)
  })
  const byUser = gather(shown, row => row.user_id)
  for (const [, users] of gather(byUser, ([, rows]) => ascending(rows.map(row => row.channel_id)).join())) {
    const ids = ascending((users[0]?.[1] ?? []).map(row => row.channel_id))
    const streams = ids.map(id => objects.get(id) as ChannelObject)
    emit(streamCreate, { streams }, ascending(users.map(([userId]) => userId)))
  }
  return shown
}

/** The audience is all other users who may know the channel, without the new subscribers. */
function notifyPeers(emit: Emit, { channels, subscribers, newcomers, audiences }: Picture): void {
  const changes = [...newcomers].map(([id, user_ids]) => {
    return { id, user_ids, audience: audiences.of(channels.get(id) as AnyChannel, subscribers.get(id) ?? []) }
  })
  for (const [, group] of gather(
    changes,
    ({ user_ids, audience }) => `${user_ids.join()}/${audiences.key(audience)}`,
  )) {
    const [first] = group
    if (!first) continue
    const stream_ids = ascending(group.map(one => one.id))
    const added = new Set(first.user_ids)
    const others = first.audience.filter(userId => !added.has(userId))
    emit(subscriptionPeerAdd, { stream_ids, user_ids: first.user_ids }, others)
  }
}

function notifyDefaults(emit: Emit, directory: Directory, { created }: Change): void {
  const added = created.filter(channel => channel.is_default).map(channel => channel.id)
  if (added.length === 0) return
  const default_streams = ascending([...defaultChannels(directory), ...added])
  emit(defaultStreams, { default_streams }, audienceOfDefaultChannels(directory))
}

const ascending = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)
