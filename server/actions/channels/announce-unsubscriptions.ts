import { streamDelete } from '../../../shared/events/stream.js'
import { subscriptionPeerRemove, subscriptionRemove } from '../../../shared/events/subscription.js'
import { audienceAmong, knowsChannel } from '../../access/channels.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels.js'
import type { Tx } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { forgetSubscriptions, subscribersOfChannels } from '../../store/subscriptions.js'
import type { UserRow } from '../../store/users.js'
import { gather } from './gather.js'
import { tellOfLostAcquaintances } from './tell-of-acquaintances.js'

type Removed = readonly { user_id: number; channel_id: number }[]

/** Tells of ended subscriptions, in the order that clients rely on (wire README "Unsubscribe"). */
export async function announceUnsubscriptions(tx: Tx, emit: Emit, ctx: Ctx, removed: Removed): Promise<void> {
  const { directory } = ctx
  const channel = (id: number) => directory.channels.get(id) as ChannelRow
  const subscribers = await subscribersOfChannels(
    tx,
    removed.map(row => row.channel_id),
  )
  eachSet(removed, (ids, users) => {
    const subscriptions = ids.map(id => ({ stream_id: id, name: channel(id).name }))
    emit(subscriptionRemove, { subscriptions }, users)
  })
  const lost = removed.filter(({ user_id, channel_id }) => {
    return !knowsChannel(directory, directory.users.get(user_id) as UserRow, channel(channel_id), false)
  })
  await forgetSubscriptions(tx, lost)
  eachSet(lost, (stream_ids, users) => emit(streamDelete, { stream_ids }, users))
  tellPeersOfLeaving(emit, directory, removed, subscribers)
  await tellOfLostAcquaintances(tx, emit, ctx, removed)
}

/** Users who lost the same channels hear of it in one event. */
function eachSet(removed: Removed, tell: (channelIds: number[], userIds: number[]) => void): void {
  const byUser = gather(removed, row => row.user_id).map(([userId, rows]) => ({
    userId,
    ids: ascending(rows.map(row => row.channel_id)),
  }))
  for (const [, users] of gather(byUser, user => user.ids.join())) {
    tell(users[0]?.ids ?? [], ascending(users.map(user => user.userId)))
  }
}

/** peer_remove to all others who may know the channel, never to those whose subscription ended. */
export function tellPeersOfLeaving(
  emit: Emit,
  directory: Directory,
  removed: Removed,
  subscribers: ReadonlyMap<number, readonly number[]>,
): void {
  const changes = gather(removed, row => row.channel_id).map(([id, rows]) => {
    const user_ids = ascending(rows.map(row => row.user_id))
    const gone = new Set(user_ids)
    const all = audienceAmong(directory, directory.channels.get(id) as ChannelRow, new Set(subscribers.get(id)))
    return { id, user_ids, audience: all.filter(userId => !gone.has(userId)) }
  })
  for (const [, group] of gather(changes, ({ user_ids, audience }) => `${user_ids.join()}/${audience.join()}`)) {
    const [first] = group
    if (!first) continue
    const stream_ids = ascending(group.map(one => one.id))
    emit(subscriptionPeerRemove, { stream_ids, user_ids: first.user_ids }, first.audience)
  }
}

const ascending = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)
