import { streamDelete } from '../../../shared/events/stream.js'
import { subscriptionPeerRemove, subscriptionRemove } from '../../../shared/events/subscription.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { Audiences } from '../../policies/channel-audience.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { gather } from '../gather.js'
import { notifyOfLostAcquaintances } from './acquaintances.js'
import { notifyOfMutedTopics } from './muted-topics.js'

type Removed = readonly { user_id: number; channel_id: number }[]

interface Change {
  readonly removed: Removed
  /** Users who can no longer see a channel, also others than the removed ones. */
  readonly hidden: Removed
  /** The remaining subscribers by channel id. */
  readonly subscribers: ReadonlyMap<number, readonly number[]>
}

/** Emits the events of ended subscriptions, in the order that clients rely on (docs/protocol/events.md#unsubscribing). */
export async function announceUnsubscriptions(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  { removed, hidden, subscribers }: Change,
): Promise<void> {
  const { directory } = ctx
  const channel = (id: number) => directory.channels.get(id) as ChannelRow
  eachSet(removed, (ids, users) => {
    const subscriptions = ids.map(id => ({ stream_id: id, name: channel(id).name }))
    emit(subscriptionRemove, { subscriptions }, users)
  })
  const isHidden = new Set(hidden.map(pairKey))
  const lost = removed.filter(pair => isHidden.has(pairKey(pair)))
  eachSet(lost, (stream_ids, users) => emit(streamDelete, { stream_ids }, users))
  await notifyOfMutedTopics(tx, emit, directory, lost)
  notifyPeersOfLeaving(emit, directory, removed, subscribers)
  await notifyOfLostAcquaintances(tx, emit, ctx, removed)
}

const pairKey = (pair: Removed[number]): string => `${pair.user_id} ${pair.channel_id}`

/** One event for all users who lost the same channels. */
function eachSet(removed: Removed, notify: (channelIds: number[], userIds: number[]) => void): void {
  const byUser = gather(removed, row => row.user_id).map(([userId, rows]) => ({
    userId,
    ids: ascending(rows.map(row => row.channel_id)),
  }))
  for (const [, users] of gather(byUser, user => user.ids.join())) {
    notify(users[0]?.ids ?? [], ascending(users.map(user => user.userId)))
  }
}

/** Emits peer_remove to all users who may know the channel. Each removed user gets an event about the other removed users. */
export function notifyPeersOfLeaving(
  emit: Emit,
  directory: Directory,
  removed: Removed,
  subscribers: ReadonlyMap<number, readonly number[]>,
): void {
  const audiences = new Audiences(directory)
  const changes = gather(removed, row => row.channel_id).map(([id, rows]) => {
    const user_ids = ascending(rows.map(row => row.user_id))
    return { id, user_ids, audience: audiences.of(directory.channels.get(id) as ChannelRow, subscribers.get(id) ?? []) }
  })
  const sameEvents = gather(changes, ({ user_ids, audience }) => `${user_ids.join()}/${audiences.key(audience)}`)
  for (const [, group] of sameEvents) {
    const [first] = group
    if (!first) continue
    const stream_ids = ascending(group.map(one => one.id))
    const gone = new Set(first.user_ids)
    const others = first.audience.filter(userId => !gone.has(userId))
    const left = first.audience.filter(userId => gone.has(userId))
    emit(subscriptionPeerRemove, { stream_ids, user_ids: first.user_ids }, others)
    if (left.length > 0) notifyOneAnother(emit, stream_ids, first.user_ids, new Set(left))
  }
}

// The number of parts into which each step divides the removed users.
const parts = 16

/**
 * No user receives its own id, so each removed user would need another list. Instead each part receives the ids of the other parts, and is
 * divided again: even with thousands of users each gets a few events that it shares with others.
 */
function notifyOneAnother(
  emit: Emit,
  stream_ids: number[],
  userIds: readonly number[],
  left: ReadonlySet<number>,
): void {
  if (userIds.length < 2) return
  const size = Math.ceil(userIds.length / parts)
  for (let from = 0; from < userIds.length; from += size) {
    const part = userIds.slice(from, from + size)
    const user_ids = [...userIds.slice(0, from), ...userIds.slice(from + size)]
    emit(
      subscriptionPeerRemove,
      { stream_ids, user_ids },
      part.filter(id => left.has(id)),
    )
    notifyOneAnother(emit, stream_ids, part, left)
  }
}

const ascending = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)
