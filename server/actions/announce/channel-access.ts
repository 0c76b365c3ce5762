import { defaultStreamGroups } from '../../../shared/events/default-stream-groups.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { streamCreate, streamDelete } from '../../../shared/events/stream.js'
import { subscriptionPeerAdd } from '../../../shared/events/subscription.js'
import type { Directory } from '../../memory/directory.js'
import { type KnowledgeChange, knowledgeChanges } from '../../policies/channel-knowledge.js'
import { defaultChannels, receivesDefaultChannels } from '../../policies/default-channels.js'
import { channelObject } from '../../presenters/channel-object.js'
import type { Emit } from '../../realtime/emission.js'
import { newChannelFacts, storedFacts, uncountedFacts } from '../../store/channels/channel-facts.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import { forgetSubscriptions } from '../../store/channels/forgotten-subscriptions.js'
import { subscribedAmong, subscribersOfChannels } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { gather } from '../gather.js'
import { notifyOfMutedTopics } from './muted-topics.js'

interface AccessChange {
  /** The directory as the transaction found it. */
  readonly before: Directory
  /** The directory after the change: `before.preview(…)` with all rows that the transaction writes. */
  readonly after: Directory
  /** Users whose role or membership changed; absent: compare all users. */
  readonly userIds?: readonly number[]
  /** Channels that may be affected; absent: compare all channels. */
  readonly channels?: readonly Pick<ChannelRow, 'id'>[]
}

/** User ids by channel id, ascending. */
interface ChangedAccess {
  readonly gained: ReadonlyMap<number, readonly number[]>
  readonly lost: ReadonlyMap<number, readonly number[]>
}

/**
 * Emits the events of changed access after a change of roles, groups or channels: stream/create, followed by peer_add with all subscribers,
 * to users who come to know a channel, and stream/delete to users who may no longer know it. A register answer then equals the state after
 * the events. The transaction must hold the organization for a change. The cost depends on the number of changes, not of users and
 * channels.
 */
export async function notifyOfChannelAccess(tx: Tx, emit: Emit, change: AccessChange): Promise<ChangedAccess> {
  const { before, after, userIds, channels } = change
  const changes = await withoutSubscribers(
    tx,
    knowledgeChanges(before, after, { userIds, channelIds: channels?.map(channel => channel.id) }),
  )
  const lost = changes.filter(one => !one.knows)
  const gained = changes.filter(one => one.knows)
  await notifyOfLost(tx, emit, lost)
  await notifyOfGained(tx, emit, after, gained)
  const pairs = changes.map(one => ({ user_id: one.userId, channel_id: one.channelId }))
  await notifyOfMutedTopics(tx, emit, after, pairs)
  await notifyOfDefaults(tx, emit, { before, after, userIds })
  return { gained: usersByChannel(gained), lost: usersByChannel(lost) }
}

/** Leaves out subscribers, who know the channel before and after the change. */
async function withoutSubscribers(tx: Tx, changes: readonly KnowledgeChange[]): Promise<KnowledgeChange[]> {
  if (changes.length === 0) return []
  const users = new Set(changes.map(one => one.userId))
  const channels = new Set(changes.map(one => one.channelId))
  const rows = await subscribedAmong(tx, [...users], [...channels])
  const subscribed = new Set(rows.map(row => `${row.user_id} ${row.channel_id}`))
  return changes.filter(one => !subscribed.has(`${one.userId} ${one.channelId}`))
}

async function notifyOfLost(tx: Tx, emit: Emit, lost: readonly KnowledgeChange[]): Promise<void> {
  if (lost.length === 0) return
  await forgetSubscriptions(
    tx,
    lost.map(one => ({ user_id: one.userId, channel_id: one.channelId })),
  )
  for (const { channelIds, userIds } of bySameChannels(lost)) emit(streamDelete, { stream_ids: channelIds }, userIds)
}

async function notifyOfGained(tx: Tx, emit: Emit, after: Directory, gained: readonly KnowledgeChange[]): Promise<void> {
  if (gained.length === 0) return
  const ids = ascending(new Set(gained.map(one => one.channelId)))
  const [facts, subscribers] = [
    await uncountedFacts(tx, await storedFacts(tx, ids)),
    await subscribersOfChannels(tx, ids),
  ]
  // Subscriber counts start at 0: the following peer_add events add to them.
  const objects = new Map(
    facts.map(({ id, subscribers_version: _, ...rest }) => [
      id,
      channelObject(after, after.channels.get(id) as ChannelRow, { ...newChannelFacts, ...rest }),
    ]),
  )
  for (const { channelIds, userIds } of bySameChannels(gained)) {
    emit(streamCreate, { streams: channelIds.flatMap(id => objects.get(id) ?? []) }, userIds)
  }
  const sameLists = gather(
    [...usersByChannel(gained)].filter(([id]) => subscribers.has(id)),
    ([id, users]) => `${users.join()}/${subscribers.get(id)?.join()}`,
  )
  for (const [, group] of sameLists) {
    const [first] = group
    if (!first) continue
    const stream_ids = ascending(group.map(([id]) => id))
    emit(subscriptionPeerAdd, { stream_ids, user_ids: subscribers.get(first[0]) ?? [] }, first[1])
  }
}

/** Guests have no default channels and no groups of them, so a user who becomes a guest, or no longer is one, gets new lists. */
async function notifyOfDefaults(
  tx: Tx,
  emit: Emit,
  {
    before,
    after,
    userIds,
  }: { readonly before: Directory; readonly after: Directory; readonly userIds?: readonly number[] },
): Promise<void> {
  const changed = (userIds ?? [...after.users.keys()]).filter(id => {
    const [was, is] = [before.users.get(id), after.users.get(id)]
    return was?.is_active && is?.is_active && receivesDefaultChannels(was) !== receivesDefaultChannels(is)
  })
  if (changed.length === 0) return
  const receives = (id: number) => {
    const user = after.users.get(id)
    return user !== undefined && receivesDefaultChannels(user)
  }
  const [left, joined] = [ascending(changed.filter(id => !receives(id))), ascending(changed.filter(receives))]
  const default_streams = defaultChannels(after)
  if (default_streams.length > 0) {
    emit(defaultStreams, { default_streams: [] }, left)
    emit(defaultStreams, { default_streams }, joined)
  }
  const default_stream_groups = await readDefaultChannelGroups(tx)
  if (default_stream_groups.length > 0) {
    emit(defaultStreamGroups, { default_stream_groups: [] }, left)
    emit(defaultStreamGroups, { default_stream_groups }, joined)
  }
}

/** One event for all users who gain or lose the same channels. */
function bySameChannels(changes: readonly KnowledgeChange[]): { channelIds: number[]; userIds: number[] }[] {
  const byUser = gather(changes, one => one.userId).map(([userId, rows]) => ({
    userId,
    channelIds: ascending(rows.map(row => row.channelId)),
  }))
  return gather(byUser, one => one.channelIds.join()).map(([, users]) => ({
    channelIds: users[0]?.channelIds ?? [],
    userIds: ascending(users.map(user => user.userId)),
  }))
}

const usersByChannel = (changes: readonly KnowledgeChange[]): Map<number, number[]> =>
  new Map(gather(changes, one => one.channelId).map(([id, rows]) => [id, ascending(rows.map(row => row.userId))]))

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b)
