import { streamCreate, streamDelete, streamUpdate } from '../../../shared/events/stream.js'
import { subscriptionPeerAdd } from '../../../shared/events/subscription.js'
import type { Ctx } from '../../ctx.js'
import { listsOf } from '../../lookups/subscriber-lists.js'
import type { Directory } from '../../memory/directory.js'
import { channelObject } from '../../presenters/channel-object.js'
import type { Emit } from '../../realtime/emission.js'
import { factsOfChannels, newChannelFacts } from '../../store/channels/channel-facts.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { forgetFormerSubscriptions } from '../../store/channels/forgotten-subscriptions.js'
import { subscriptionsToChannel } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { notifySubscribers } from './subscribers.js'

/** `audience`: all users who know the channel. Clients without support for archived channels handle it as a deletion. */
export function notifyOfArchived(emit: Emit, channel: ChannelRow, audience: readonly number[]): void {
  emit(streamUpdate, { stream_id: channel.id, name: channel.name, property: 'is_archived', value: true }, audience)
  emit(streamDelete, { stream_ids: [channel.id], archived: true }, audience)
}

/**
 * Emits the events of an unarchived channel. Clients without support for archived channels receive it as a new channel, with their own
 * subscriptions and with the other subscribers. They cannot know former subscriptions to it, so the server deletes those.
 */
export async function notifyOfUnarchived(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { after, channel, audience }: { after: Directory; channel: ChannelRow; audience: readonly number[] },
): Promise<void> {
  const { id, name } = channel
  await forgetFormerSubscriptions(tx, id)
  emit(streamUpdate, { stream_id: id, name, property: 'is_archived', value: false }, audience)
  const rows = await subscriptionsToChannel(tx, id)
  const user_ids = rows.map(row => row.user_id)
  const facts = (await factsOfChannels(tx, [id])).get(id) ?? newChannelFacts
  // Users without a subscription get the count from the following peer_add events.
  const uncounted = channelObject(after, channel, { ...facts, subscriber_count: 0 })
  emit(streamCreate, { streams: [uncounted], unarchived: true }, audience)
  const lists = await listsOf(ctx, tx, new Map([[id, user_ids]]))
  const objects = new Map([[id, channelObject(after, channel, facts)]])
  notifySubscribers(emit, { directory: after, objects, lists }, rows, true)
  const subscribed = new Set(user_ids)
  const others = audience.filter(userId => !subscribed.has(userId))
  if (user_ids.length > 0) emit(subscriptionPeerAdd, { stream_ids: [id], user_ids, unarchived: true }, others)
}
